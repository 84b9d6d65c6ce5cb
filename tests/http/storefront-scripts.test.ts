import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readerFields } from '#core/readers/reader-fields.rules.ts'
import { makeBackIssue } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { startTwoProcesses, type TwoProcesses } from '#tests/support/two-processes.ts'

let here: TwoProcesses['here']
let handle = ''

beforeAll(async () => {
  const { here: first, services } = await startTwoProcesses()
  here = first
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

describe('the scripts of a buyer’s phone', () => {
  it('are checked for texts that do occur in some script of the back office', () => {
    const folder = join('build', 'client', 'assets')
    const all = readdirSync(folder).filter((name) => name.endsWith('.js'))
    for (const [what, text] of Object.entries(backOfficeModules)) {
      expect(text).not.toBe('')
      const holders = all.filter((name) => readFileSync(join(folder, name), 'utf8').includes(text))
      expect(holders.length, what).toBeGreaterThan(0)
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
        for (const [what, known] of Object.entries(backOfficeModules))
          expect(text.includes(known), `${what} in ${script}`).toBe(false)
      }
    })
  }
})
