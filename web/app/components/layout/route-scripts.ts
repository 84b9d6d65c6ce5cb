import { useEffect } from 'react'
import { ConnectionLost } from '../ui/lost-connection.ts'

interface LazyRoute {
  id: string
  lazy?: () => Promise<unknown>
  children?: LazyRoute[]
}

/** What Remix keeps on the window, as far as it is used here. */
interface RemixWindow {
  __remixRouter?: { routes: LazyRoute[]; navigate: (...where: unknown[]) => Promise<void> }
  __remixManifest: { routes: Record<string, { module: string } | undefined> }
  __remixRouteModules: Record<string, unknown>
}

const guarded = new WeakSet<LazyRoute>()

/**
 * Remix reloads the page when the script of a screen cannot be fetched. After a deployment that is right; without a connection
 * the browser's own error page would take the place of the product. With this, such a screen fails like any other that cannot be fetched.
 */
export function useRouteScripts(): void {
  useEffect(() => {
    const { __remixRouter: router } = window as unknown as RemixWindow
    if (!router) return
    const { navigate } = router
    // Routes become known one by one, as their links appear.
    router.navigate = (...where) => {
      guard(router.routes)
      return navigate(...where)
    }
    return () => {
      router.navigate = navigate
    }
  }, [])
}

function guard(routes: LazyRoute[]): void {
  for (const route of routes) {
    const { id, lazy, children = [] } = route
    if (lazy && !guarded.has(route)) {
      guarded.add(route)
      route.lazy = async () => {
        await fetchScript(id)
        return lazy()
      }
    }
    guard(children)
  }
}

/** Puts the script of a route where Remix looks for it first. */
async function fetchScript(id: string): Promise<void> {
  const { __remixManifest: manifest, __remixRouteModules: modules } = window as unknown as RemixWindow
  const script = manifest.routes[id]?.module
  if (!script || id in modules) return
  try {
    modules[id] = await import(/* @vite-ignore */ script)
  } catch {
    // An answer of any kind means that the server is there: Remix reloads the page, from the newer version.
    const isThere = await fetch(script, { method: 'HEAD', cache: 'no-store' }).then(
      () => true,
      () => false,
    )
    if (!isThere) throw new ConnectionLost()
  }
}
