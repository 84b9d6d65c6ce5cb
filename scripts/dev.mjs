// npm run dev: like npm start, and rebuilds and restarts whenever a source file changes.
import { fork } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { checkNode, ensureBuilt, ensureInstalled, root, say, sourceFiles, sourceFolders } from './project.mjs'

checkNode()
await ensureInstalled()

/** Editors save several files within milliseconds. */
const debounceMs = 500
let child
let timer
let isStale = true
let isBuilding = false
let isEnding = false

/** One build at a time; a change in the meantime causes another. */
async function refresh() {
  if (isBuilding) return
  isBuilding = true
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
  isBuilding = false
}

function start() {
  // In its own process group: Ctrl-C reaches only this process, which then shuts the server down gracefully.
  child = fork(join(root, 'dist/serve.js'), { cwd: root, detached: true })
}

/** The server shuts down gracefully when its IPC channel closes, also when this process is killed. */
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
  timer = setTimeout(refresh, debounceMs)
}

for (const folder of [...sourceFolders, 'templates']) watch(join(root, folder), { recursive: true }, changed)
for (const file of sourceFiles) watch(join(root, file), changed)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
await refresh()
