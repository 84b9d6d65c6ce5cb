import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'
import { handlePattern, isReservedHandle } from '#core/publications/handle.rules.ts'
import { menus } from '#web/app/http/menu.ts'
import routes from '#web/app/routes.ts'

interface ConfiguredRoute {
  path?: string
  children?: ConfiguredRoute[]
}

const flattened = (configured: readonly ConfiguredRoute[]): ConfiguredRoute[] =>
  configured.flatMap((route) => [route, ...flattened(route.children ?? [])])

/** Every mount of Express, read from the server's own source. */
function mountsOfServer(): string[] {
  const source = readFileSync(join(projectRoot(), 'web/server.ts'), 'utf8')
  const found = [...source.matchAll(/\bapp\.(?:get|use|all|post)\(\s*'\/([^'/]+)/g)].map(([, segment]) => segment ?? '')
  expect(found).toEqual(expect.arrayContaining(['healthz', 'api', 'assets', 'media']))
  return found
}

/** Addresses that would never open a storefront, because something else is served there. */
describe('the reserved handles include', () => {
  const firstSegmentOf = (path: string) => path.replace(/^\//, '').split('/')[0] ?? ''

  it('the addresses of all pages', async () => {
    const segments = flattened((await routes) as ConfiguredRoute[])
      .map(({ path }) => firstSegmentOf(path ?? ''))
      .filter((segment) => segment !== '' && !/^[:*]/.test(segment))
    expect(segments.length).toBeGreaterThan(20)
    for (const segment of segments)
      for (const handle of [segment, segment.toUpperCase()])
        expect([handle, isReservedHandle(handle)]).toEqual([handle, true])
  })

  it('the mounts of the server and the files it serves', () => {
    const files = readdirSync(join(projectRoot(), 'web/public')).map((name) => name.replace(/\..*$/, ''))
    for (const name of [...mountsOfServer(), ...files].filter((name) => handlePattern.test(name)))
      expect([name, isReservedHandle(name)]).toEqual([name, true])
  })

  it('the entries of the menus', () => {
    for (const { entries } of Object.values(menus).flat())
      for (const { to, also = [] } of entries)
        for (const path of [to, ...also]) expect([path, isReservedHandle(firstSegmentOf(path))]).toEqual([path, true])
  })
})
