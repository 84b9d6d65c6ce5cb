import { useEffect } from 'react'
import { ConnectionLost, isFormUnanswered, outages, pendingPage } from '../ui/lost-connection.ts'

interface LazyRoute {
  id: string
  lazy?: () => Promise<unknown>
  children?: LazyRoute[]
}

/** The part of Remix's window object that is used here. */
interface RemixWindow {
  __remixRouter?: { routes: LazyRoute[] }
  __remixManifest: { routes: Record<string, { module: string } | undefined> }
  __remixRouteModules: Record<string, unknown>
}

const guardedRoutes = new WeakSet<LazyRoute>()

/**
 * Remix reloads the page when a route module cannot be fetched. Offline, the browser's own error page would replace the app; with this hook, such a
 * route fails as other fetches do. After a deployment the pending page is loaded instead of the current one, which may have a form that was just
 * accepted.
 */
export function useRouteScripts(): void {
  useEffect(() => {
    const { __remixRouter: router, __remixManifest: manifest } = window as unknown as RemixWindow
    if (!router) return
    guard(router.routes)
    // Routes are discovered as their links appear, or as they are navigated to (lazy route discovery): Remix then adds them to the manifest, to the
    // router in the same step, and loads their modules in a later one.
    const { routes } = manifest
    manifest.routes = new Proxy(routes, {
      set(_, id, route) {
        queueMicrotask(() => guard(router.routes))
        return Reflect.set(routes, id, route)
      },
    })
    return () => {
      manifest.routes = routes
    }
  }, [])
}

function guard(routes: LazyRoute[]): void {
  for (const route of routes) {
    const { id, lazy, children = [] } = route
    if (lazy && !guardedRoutes.has(route)) {
      guardedRoutes.add(route)
      route.lazy = async () => {
        await fetchScript(id)
        return lazy()
      }
    }
    guard(children)
  }
}

/** Loads a route module into the cache that Remix checks first. */
async function fetchScript(id: string): Promise<void> {
  const { __remixManifest: manifest, __remixRouteModules: modules } = window as unknown as RemixWindow
  const script = manifest.routes[id]?.module
  if (!script || id in modules) return
  try {
    modules[id] = await import(/* @vite-ignore */ script)
  } catch {
    // Any response from the server itself, not from a proxy before it, means that it is reachable: the page is loaded from the newer version.
    const isReachable = await fetch(script, { method: 'HEAD', cache: 'no-store' }).then(
      ({ status }) => !outages.has(status),
      () => false,
    )
    // The script of a form's action is loaded along with the submission. The form stays on the page, and the next submission loads the script again.
    if (!isReachable && isFormUnanswered() && !pendingPage()) await new Promise(() => {})
    if (!isReachable) throw new ConnectionLost()
    const pending = pendingPage()
    // If no page is pending, or if the browser is already there after Back, Remix reloads the page.
    if (!pending || pending.href === window.location.href) return
    window.location.assign(pending)
    await new Promise(() => {})
  }
}
