import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#core/kernel/calendar.ts'
import { readerFields } from '#core/readers/reader-fields.rules.ts'
import { demoPublications } from '#core/seed/demo-publications.ts'
import { seedPublication } from '#core/seed/seed-publications.ts'
import { makeBackIssue } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { startTwoProcesses, type TwoProcesses } from '#tests/support/two-processes.ts'

let here: TwoProcesses['here']
let services: TwoProcesses['services']
let handle = ''

beforeAll(async () => {
  const processes = await startTwoProcesses()
  here = processes.here
  services = processes.services
  const shop = await makeShop(services, { sellsBackIssues: true })
  await makeBackIssue(services, shop.id, { volume: 'Winter', stock: 3 })
  handle = shop.urlKey
})

/** Modules that only the back office needs, each with a text that identifies its script. */
const backOfficeModules = {
  'the list of reader fields': readerFields[0].hint,
  zod: '~standard',
}

/** The scripts that a page names in its HTML: those of its route and all their imports. */
async function scriptsOf(path: string): Promise<string[]> {
  const { status, html } = await here.get(path)
  expect(status).toBe(200)
  return [...new Set(html.match(/\/assets\/[\w.-]+\.js/g))]
}

/** The bytes of files as they are transferred: those of the build or of web/public, compressed where the build has compressed them. */
function bytesOf(paths: readonly string[]): number {
  const compressed = (path: string) => [join('build/client', `${path}.br`), join('build', `${path}.br`)]
  const sizes = [...new Set(paths)].map((path) => {
    const file = [...compressed(path), join('build/client', path)].find((candidate) => existsSync(candidate))
    if (!file) throw new Error(`${path} is not in the build`)
    return statSync(file).size
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe('the scripts of a buyer’s phone', () => {
  it('are checked for texts that do occur in some script of the back office', () => {
    const folder = join('build', 'client', 'assets')
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
    for (const [moduleName, text] of Object.entries(backOfficeModules)) {
      expect(text).not.toBe('')
      const matching = scripts.filter((name) => readFileSync(join(folder, name), 'utf8').includes(text))
      expect(matching.length, moduleName).toBeGreaterThan(0)
    }
  })

  it('come with SVG files that are compressed, unchanged and unable to run scripts', async () => {
    const path = '/media/demo/harbour-light-cover.svg'
    const svg = readFileSync(join('web/public', path), 'utf8')
    for (const [accepted, encoding] of [
      ['br', 'br'],
      ['identity', null],
    ] as const) {
      const { status, headers, html } = await here.get(path, { 'Accept-Encoding': accepted })
      expect(status).toBe(200)
      expect(headers.get('content-encoding')).toBe(encoding)
      // A response compressed on the fly has no length.
      expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
      expect(headers.get('content-type')).toMatch(/^image\/svg\+xml/)
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(html).toBe(svg)
    }
  })

  for (const path of ['', '/issues', '/login', '/forgot']) {
    it(`include neither the list of reader fields nor zod: /{handle}${path}`, async () => {
      const scripts = await scriptsOf(`/${handle}${path}`)
      expect(scripts.length).toBeGreaterThan(5)
      for (const script of scripts) {
        const text = readFileSync(join('build', 'client', script), 'utf8')
        for (const [moduleName, moduleText] of Object.entries(backOfficeModules))
          expect(text.includes(moduleText), `${moduleName} in ${script}`).toBe(false)
      }
    })
  }
})

describe('the first visit to a storefront', () => {
  it('transfers less than 115 kB of scripts, and less than 200 kB in all', async () => {
    const [magazine] = demoPublications
    if (!magazine) throw new Error('The demo has no magazine')
    const { publisherId } = await makeShop(services)
    const today = dayOf(services.now(), services.settings.timeZone)
    await seedPublication(services, publisherId, magazine, { today, since: services.now() })

    const { status, html, headers } = await here.get(`/${magazine.urlKey}`, { 'Accept-Encoding': 'gzip, deflate, br' })
    expect(status).toBe(200)
    const matchesOf = (pattern: RegExp, text = html) => [...new Set(text.match(pattern))]
    const styles = matchesOf(/\/assets\/[\w.-]+\.css/g)
    // Every page has a heading, whose font is not preloaded.
    const css = styles.map((path) => readFileSync(join('build/client', path), 'utf8')).join()
    const fonts = [
      ...matchesOf(/\/assets\/[\w.-]+\.woff2/g),
      ...matchesOf(/\/assets\/heading-latin[\w.-]+\.woff2/g, css),
    ]
    const pictures = matchesOf(/(?<=<img [^>]*src=")[^"]+/g)
    // Other scripts are named in the list of routes, for later pages.
    const scripts = matchesOf(/(?<=<link rel="modulepreload" href=")[^"]+/g)
    expect([scripts.length > 3, styles.length, fonts.length, pictures.length]).toEqual([true, 1, 2, 2])

    const bytes = {
      markup: Number(headers.get('content-length')),
      styles: bytesOf(styles),
      scripts: bytesOf(scripts),
      fonts: bytesOf(fonts),
      pictures: bytesOf(pictures),
    }
    expect(bytes.markup).toBeGreaterThan(0)
    expect(bytes.scripts, JSON.stringify(bytes)).toBeLessThan(115_000)
    const total = Object.values(bytes).reduce((sum, part) => sum + part)
    expect(total, JSON.stringify(bytes)).toBeLessThan(200_000)
  })
})
