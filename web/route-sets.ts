import type { ServerBuild } from '@remix-run/node'
import { LRUCache } from 'lru-cache'

type Routes = ServerBuild['routes']
type RouteNode = Omit<Routes[string], 'children' | 'index' | 'module'> & { children: RouteNode[]; index?: boolean }
/** React Router's own, which says of a tree of routes what an address matches. */
export type MatchRoutes = (routes: RouteNode[], path: string) => { route: RouteNode }[] | null

const remembered = { paths: 2_000, pathLength: 200 }

/**
 * Makes one thing for each set of routes that an address can need, and finds it by the address. Remix matches an address half a dozen
 * times on its way to a page, each time against every route it was given, and makes an object of each of them: with the few that
 * answer this address and the addresses above it (which Remix names to the browser), all of that costs next to nothing.
 * Undefined for an address that no route answers.
 */
export function byRouteSet<Thing>(
  build: ServerBuild,
  matchRoutes: MatchRoutes,
  make: (build: ServerBuild) => Thing,
): (path: string) => Thing | undefined {
  const tree = childrenOf(build.routes, undefined)
  const bySet = new Map<string, Thing>()
  const byPath = new LRUCache<string, { value: Thing }>({ max: remembered.paths })

  function thingFor(path: string): Thing | undefined {
    const page = pageOf(path)
    if (!matchRoutes(tree, page)) return undefined
    const needed = [path, page, ...pathsAbove(page)].flatMap((each) => matchRoutes(tree, each) ?? [])
    const ids = new Set(needed.map(({ route }) => route.id))
    const set = Object.keys(build.routes).filter((id) => ids.has(id))
    const key = set.join(' ')
    const thing = bySet.get(key) ?? make(buildOf(build, set))
    bySet.set(key, thing)
    return thing
  }

  return (path) => {
    const known = byPath.get(path)
    if (known) return known.value
    const value = thingFor(path)
    if (value !== undefined && path.length <= remembered.pathLength) byPath.set(path, { value })
    return value
  }
}

function childrenOf(routes: Routes, parentId: string | undefined): RouteNode[] {
  return Object.values(routes)
    .filter((route) => route.parentId === parentId)
    .map(({ module: _, ...route }) => ({ ...route, children: childrenOf(routes, route.id) }) as RouteNode)
}

/** The address of the page whose data are asked for: Remix adds `.data` to it. */
function pageOf(path: string): string {
  return path.endsWith('.data') ? path.replace(/\.data$/, '').replace(/^\/_root$/, '/') : path
}

/** `/a` and `/` for `/a/b`. */
function pathsAbove(path: string): string[] {
  const parts = path.split('/').filter(Boolean)
  return parts.map((_, count) => `/${parts.slice(0, count).join('/')}`)
}

function buildOf(build: ServerBuild, ids: string[]): ServerBuild {
  const only = <Value>(record: Record<string, Value>) =>
    Object.fromEntries(ids.flatMap((id) => (id in record ? [[id, record[id] as Value]] : [])))
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } }
}
