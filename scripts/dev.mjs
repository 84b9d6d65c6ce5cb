// npm run dev: like npm start, and builds and starts again whenever a source file changes.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { checkNode, ensureBuilt, ensureInstalled, root, say } from './project.mjs'

checkNode()
await ensureInstalled()

let child
let timer
async function restart() {
  try {
    await ensureBuilt()
  } catch (error) {
    return say(error.message)
  }
  if (child) {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  child = spawn(process.execPath, [join(root, 'dist/serve.js')], {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_ENV: 'development', ...process.env },
  })
}

for (const folder of ['core', 'web', 'worker', 'templates']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(restart, 200)
  })
}
process.on('SIGINT', () => {
  child?.once('exit', () => process.exit(0))
  if (!child) process.exit(0)
})
await restart()
