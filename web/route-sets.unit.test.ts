import type { ServerBuild } from '@remix-run/node'
import { matchRoutes } from '@remix-run/react'
import { describe, expect, it } from 'vitest'
import { byRouteSet, type MatchRoutes, pageCheck } from './route-sets.ts'

const route = (id: string, path: string | undefined, parentId: string | undefined = 'root') => ({ id, path, parentId })
const routes = [
  { id: 'root', path: '', parentId: undefined },
  { id: 'front', path: undefined, index: true, parentId: 'root' },
  route('shell', undefined),
  route('readers', 'readers', 'shell'),
  route('reader', 'readers/:readerId', 'shell'),
  route('wizard', 'wizard/:step?', 'shell'),
  route('shop', ':urlKey'),
  route('issues', ':urlKey/issues'),
  route('not-found', '*'),
]
const routesById = Object.fromEntries(routes.map((each) => [each.id, { ...each, module: {} }]))
const build = { routes: routesById, assets: { routes: routesById } } as unknown as ServerBuild

const setFor = byRouteSet(build, matchRoutes as unknown as MatchRoutes, (subset) => {
  expect(Object.keys(subset.assets.routes)).toEqual(Object.keys(subset.routes))
  return { ids: Object.keys(subset.routes) }
})

describe('the route set of an address', () => {
  it.each([
    ['/', ['root', 'front']],
    ['/readers', ['root', 'front', 'shell', 'readers']],
    ['/READERS', ['root', 'front', 'shell', 'readers']],
    ['/readers/7', ['root', 'front', 'shell', 'readers', 'reader']],
    ['/wizard', ['root', 'front', 'shell', 'wizard']],
    ['/wizard/2', ['root', 'front', 'shell', 'wizard']],
    ['/harbour-light', ['root', 'front', 'shop']],
    ['/harbour-light/issues', ['root', 'front', 'shop', 'issues']],
    ['/harbour-light/nowhere', ['root', 'front', 'shop', 'not-found']],
    ['/readers.data', ['root', 'front', 'shell', 'readers', 'shop']],
    ['/_root.data', ['root', 'front', 'shop']],
  ])('contains its routes, those of the addresses above, and no others: %s', (path, ids) => {
    expect(setFor(path)?.ids).toEqual(ids)
  })

  it('is shared by all addresses with the same routes', () => {
    expect(setFor('/harbour-light')).toBe(setFor('/coast'))
    expect(setFor('/harbour-light')).not.toBe(setFor('/readers'))
  })
})

describe('whether an address shows a page', () => {
  const page = { default: () => null }
  const modules: Record<string, object> = {
    readers: page,
    shop: page,
    'not-found': page,
    issues: { handle: { endsInPage: true } },
  }
  const withModules = Object.fromEntries(routes.map((each) => [each.id, { ...each, module: modules[each.id] ?? {} }]))
  const isPage = pageCheck({ routes: withModules } as unknown as ServerBuild, matchRoutes as unknown as MatchRoutes)

  it.each([
    ['/readers', true],
    ['/READERS/?q=1#top', true],
    ['/harbour-light', true],
    ['/harbour-light/nowhere', true],
    ['/harbour-light/%E0%A4%A', true],
    ['/harbour-light/issues', true],
    ['/readers/7?q=1', false],
    ['/wizard/2', false],
    ['/readers.data', false],
  ])('%s: %s', (path, expected) => {
    expect(isPage(path)).toBe(expected)
  })
})
