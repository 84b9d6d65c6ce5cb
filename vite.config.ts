import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rollup } from 'vite'

/** Code that must never reach a browser: a loader that leaks it fails the build and names the module. */
const serverOnly =
  /\/core\/platform\/|\.model\.ts$|\.query\.ts$|\/core\/(database|use-case)\.ts$|\/node_modules\/(sequelize|sqlite3|pg|bull|ioredis|nodemailer|@node-rs)\//

function serverFence(): Plugin {
  return {
    name: 'server-fence',
    enforce: 'post',
    generateBundle(_, bundle) {
      if (this.environment.config.consumer !== 'client') return
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const leaked = Object.entries(chunk.modules).find(
          ([id, { renderedLength }]) => serverOnly.test(id) && renderedLength > 0,
        )
        if (leaked) this.error(`${leaked[0]} is server code and would be sent to browsers in ${chunk.fileName}`)
      }
    },
  }
}

const routeFolder = /\/web\/app\/routes\/(back-office|public)\//
const storefrontRoute = /\/web\/app\/routes\/storefront\/storefront\.tsx$/
const everyPage = /\/web\/app\/(root|entry\.client)\.tsx$/

/**
 * Joins the modules that a storefront loads initially into two files, which compress better than forty small ones: `common` has those that every
 * page needs or the back office shares, `shop` those that only the storefront needs. Modules that the storefront does not load are unaffected.
 */
function storefrontChunks(): Rollup.GetManualChunk {
  let chunks: Map<string, string> | undefined
  return (id, { getModuleIds, getModuleInfo }) => {
    chunks ??= chunksOf([...getModuleIds()], (from) => getModuleInfo(from)?.importedIds ?? [])
    return chunks.get(id)
  }
}

function chunksOf(ids: string[], importsOf: (id: string) => readonly string[]): Map<string, string> {
  const reached = (from: RegExp) => {
    const seen = new Set<string>()
    const left = ids.filter((id) => from.test(id))
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      if (seen.has(id)) continue
      seen.add(id)
      left.push(...importsOf(id))
    }
    return seen
  }
  const every = reached(everyPage)
  const staff = reached(routeFolder)
  const shop = reached(storefrontRoute)
  const isRoute = (id: string) => /\/web\/app\/(routes\/|root\.tsx|entry\.client\.tsx)/.test(id)
  const chunkOf = (id: string) => (every.has(id) || (shop.has(id) && staff.has(id)) ? 'common' : 'shop')
  return new Map([...every, ...shop].filter((id) => !isRoute(id)).map((id) => [id, chunkOf(id)]))
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
    remix({
      appDirectory: 'web/app',
      buildDirectory: 'build',
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_singleFetch: true,
        v3_lazyRouteDiscovery: true,
        v3_routeConfig: true,
        unstable_optimizeDeps: true,
      },
    }),
    serverFence(),
  ],
  // Express serves web/public itself, with its own caching.
  publicDir: false,
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    rollupOptions: {
      ...(!isSsrBuild && { output: { manualChunks: storefrontChunks() } }),
      onwarn(warning, warn) {
        // Comments in dependencies that Rollup cannot place; harmless and many.
        if (warning.code !== 'INVALID_ANNOTATION' && warning.code !== 'SOURCEMAP_ERROR') warn(warning)
      },
    },
  },
}))
