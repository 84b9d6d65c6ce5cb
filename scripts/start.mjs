// npm start: installs when needed, builds when stale, then web and worker in a child of this process.
import { checkNode, ensureBuilt, ensureInstalled } from './project.mjs'

checkNode()
await ensureInstalled()
await ensureBuilt().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
endWithNpm()
await import('../dist/serve.js')

/** npm that is ended passes no signal on: its child looks whether it has lost its parent, and ends in order. */
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
