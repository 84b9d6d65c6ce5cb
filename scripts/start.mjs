// npm start: installs when needed, builds when stale, then web and worker in a child of this process.
import { checkNode, ensureBuilt, ensureInstalled } from './project.mjs'

checkNode()
await ensureInstalled()
await ensureBuilt().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
process.env.NODE_ENV ??= 'development'
await import('../dist/serve.js')
