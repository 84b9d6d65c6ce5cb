// node scripts/repeat-tests.mjs [--times 20] [--load 0] [test files ...]: runs the browser tests (or the named files) repeatedly, along with
// --load busy processes, and counts the runs and the tests that fail. Builds first, and never stops early. Unlike in CI, no test is retried:
// one that would pass only on the second attempt counts as a failure.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from './project.mjs'

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '20' }, load: { type: 'string', default: '0' } },
  allowPositionals: true,
})
const files = positionals.length > 0 ? positionals : ['--project', 'e2e']
const times = Number(values.times)

const busyProcesses = Array.from({ length: Number(values.load) }, () =>
  spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }),
)
process.on('exit', () => {
  for (const child of busyProcesses) child.kill('SIGKILL')
})
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

/** One run: its output and exit code. */
function runOnce() {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/test.mjs', ...files, '--no-color'], {
      cwd: root,
      env: { ...process.env, CI: '', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

const failures = new Map()
let failedRuns = 0
for (let n = 1; n <= times; n++) {
  const started = Date.now()
  const { code, output } = await runOnce()
  const lastLine = output.trimEnd().split('\n').at(-1)
  process.stdout.write(`run ${n} of ${times}: ${lastLine} (${Math.round((Date.now() - started) / 1000)} s)\n`)
  if (code === 0) continue
  failedRuns++
  const failed = [...output.matchAll(/^ FAIL +(.+)$/gm)].map(([, name]) => name)
  for (const name of new Set(failed)) failures.set(name, (failures.get(name) ?? 0) + 1)
  process.stdout.write(output.slice(Math.max(0, output.search(/^.*Failed (Tests|Suites)/m))))
}
for (const [name, count] of failures) process.stdout.write(`${count} of ${times}: ${name}\n`)
process.stdout.write(`${failedRuns} of ${times} runs failed\n`)
process.exit(failedRuns > 0 ? 1 : 0)
