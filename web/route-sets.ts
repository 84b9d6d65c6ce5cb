import type { ServerBuild } from '@remix-run/node'
import { LRUCache } from 'lru-cache'
import type { ReturnHandle } from './app/http/load-context.ts'

type Routes = ServerBuild['routes']
type RouteNode = Omit<Routes[string], 'children' | 'index' | 'module'> & { children: RouteNode[]; index?: boolean }
/** React Router's own function to match an address with a route tree. */
export type MatchRoutes = (routes: RouteNode[], path: string) => { route: RouteNode }[] | null

const cacheLimits = { paths: 2_000, pathLength: 200 }

/**
 * Creates one value for each set of routes that an address can need, and finds it by the address. Remix matches an address about six times
 * per page, each time against every route it was given, and creates objects for all of them: with only the routes of this address and of
 * the addresses above it (which Remix sends to the browser), this costs almost nothing. Undefined for an address without a route.
 */
export function byRouteSet<Item>(
  build: ServerBuild,
  matchRoutes: MatchRoutes,
  make: (build: ServerBuild) => Item,
): (path: string) => Item | undefined {
  const tree = childrenOf(build.routes, undefined)
  const bySet = new Map<string, Item>()
  const byPath = new LRUCache<string, { value: Item }>({ max: cacheLimits.paths })

  function valueFor(path: string): Item | undefined {
    const page = pageOf(path)
    if (!matchRoutes(tree, page)) return undefined
    const matches = [path, page, ...pathsAbove(page)].flatMap((address) => matchRoutes(tree, address) ?? [])
    const ids = new Set(matches.map(({ route }) => route.id))
    const set = Object.keys(build.routes).filter((id) => ids.has(id))
    const key = set.join(' ')
    const value = bySet.get(key) ?? make(buildOf(build, set))
    bySet.set(key, value)
    return value
  }

  return (path) => {
    const cached = byPath.get(path)
    if (cached) return cached.value
    const value = valueFor(path)
    if (value !== undefined && path.length <= cacheLimits.pathLength) byPath.set(path, { value })
    return value
  }
}

/**
 * Creates the check whether an address shows a page: whether its route has a component, or says in its `handle` that it ends in a redirect
 * to a page. An address without a route shows the page that says so.
 */
export function pageCheck(build: ServerBuild, matchRoutes: MatchRoutes): (path: string) => boolean {
  const tree = childrenOf(build.routes, undefined)
  return (path) => {
    const [pathname = ''] = path.split(/[?#]/)
    const matched = matchRoutes(tree, pathname)?.at(-1)
    const { default: page, handle } = (matched && build.routes[matched.route.id]?.module) ?? {}
    const endsInPage = (handle as Partial<ReturnHandle> | undefined)?.endsInPage ?? false
    return !pathname.endsWith('.data') && (page !== undefined || endsInPage)
  }
}

function childrenOf(routes: Routes, parentId: string | undefined): RouteNode[] {
  return Object.values(routes)
    .filter((route) => route.parentId === parentId)
    .map(({ module: _, ...route }) => ({ ...route, children: childrenOf(routes, route.id) }) as RouteNode)
}

/** The page's address for a data request: Remix adds `.data` to it. */
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
