// npm run dev: like npm start, and builds and starts again whenever a source file changes.
import { fork } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { checkNode, ensureBuilt, ensureInstalled, root, say, sourceFiles, sourceFolders } from './project.mjs'

checkNode()
await ensureInstalled()

/** Editors save several files one after the other, in milliseconds. */
const quietMs = 500
let child
let timer
let isStale = true
let isAtWork = false
let isEnding = false

/** One build at a time; what changes meanwhile makes one more. */
async function refresh() {
  if (isAtWork) return
  isAtWork = true
  while (isStale && !isEnding) {
    isStale = false
    try {
      await ensureBuilt()
      await stop()
      if (!isEnding) start()
    } catch (error) {
      say(error.message)
    }
  }
  isAtWork = false
}

function start() {
  // A group of its own: Ctrl-C reaches this process alone, which then ends that one in order.
  child = fork(join(root, 'dist/serve.js'), { cwd: root, detached: true })
}

/** Without its channel the server ends in order; so it does when this process is killed. */
async function stop() {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.connected) child.disconnect()
  await ended
}

async function end() {
  if (isEnding) return
  isEnding = true
  await stop()
  process.exit(0)
}

function changed() {
  isStale = true
  clearTimeout(timer)
  timer = setTimeout(refresh, quietMs)
}

for (const folder of [...sourceFolders, 'templates']) watch(join(root, folder), { recursive: true }, changed)
for (const file of sourceFiles) watch(join(root, file), changed)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
await refresh()
