import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'

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

export default defineConfig({
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
      onwarn(warning, warn) {
        // Comments in dependencies that Rollup cannot place; harmless and many.
        if (warning.code !== 'INVALID_ANNOTATION' && warning.code !== 'SOURCEMAP_ERROR') warn(warning)
      },
    },
  },
})
