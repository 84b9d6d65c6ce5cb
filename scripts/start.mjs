// npm start: installs when needed, builds when stale, then runs web and worker in a child process.
import { checkNode, ensureBuilt, ensureInstalled } from './project.mjs'

checkNode()
await ensureInstalled()
await ensureBuilt().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
endWithNpm()
await import('../dist/serve.js')

/** A killed npm forwards no signal: this process polls whether its parent still exists, and shuts down gracefully when it does not. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 1000)
  timer.unref()
}
