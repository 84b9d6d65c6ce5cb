import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa, type ResultPromise } from 'execa'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'

/** An instant build, which records the sources that it saw, and a server that does nothing, to test when `npm run dev` builds, starts and stops them. */
const bundle = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const server = \`
  import { appendFileSync } from 'node:fs'
  appendFileSync('started', process.pid + ' ')
  process.on('disconnect', () => process.exit(0))
  setInterval(() => {}, 1000)
\`
export async function build() {
  mkdirSync('dist', { recursive: true })
  writeFileSync('dist/serve.js', server)
  const sources = ['core/prices.ts', 'web/page.tsx', 'cli/main.ts']
  const seen = sources.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : 'none'))
  appendFileSync('built', seen.join(' ') + ';')
}
`

let project: string
let dev: ResultPromise
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'masthead-dev-'))
  for (const folder of ['core', 'web', 'cli', 'worker', 'scripts', 'templates', 'node_modules'])
    mkdirSync(join(project, folder))
  for (const file of ['dev.mjs', 'project.mjs'])
    cpSync(join(projectRoot(), 'scripts', file), join(project, 'scripts', file))
  write('scripts/bundle.mjs', bundle)
  write('package.json', '{"type":"module"}')
  for (const file of ['serve.ts', 'serve-role.ts', 'package-lock.json', 'vite.config.ts', 'tsconfig.json'])
    write(file, '{}')
  // The state after the packages are installed.
  const stamp = createHash('sha256').update('{}').update('{"type":"module"}').digest('hex')
  write('node_modules/.masthead-installed', stamp)
  dev = execa(process.execPath, ['scripts/dev.mjs'], { cwd: project, reject: false })
})
afterEach(async () => {
  dev.kill('SIGKILL')
  await dev
  await vi.waitFor(() => expect(startedPids().filter(isAlive)).toEqual([]), { timeout: 30_000 })
  rmSync(project, { recursive: true, force: true })
})

const write = (file: string, text: string) => writeFileSync(join(project, file), text)
const read = (file: string) => {
  try {
    return readFileSync(join(project, file), 'utf8')
  } catch {
    return ''
  }
}
/** The sources that each build saw. */
const builds = () => read('built').split(';').filter(Boolean)
const startedPids = () => read('started').split(' ').filter(Boolean).map(Number)
const waitForServers = (count: number) =>
  vi.waitFor(() => expect(startedPids()).toHaveLength(count), { timeout: 30_000, interval: 50 })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it('builds once for edits that are saved together, including those of the command line, and leaves one server', async () => {
  await waitForServers(1)
  write('core/prices.ts', '1')
  write('web/page.tsx', '2')
  write('cli/main.ts', '3')
  await waitForServers(2)
  write('cli/main.ts', 'again')
  await vi.waitFor(() => expect(builds().at(-1)).toBe('1 2 again'), { timeout: 30_000, interval: 50 })
  await waitForServers(3)
  expect(builds()).toEqual(['none none none', '1 2 3', '1 2 again'])
  expect(startedPids().map(isAlive)).toEqual([false, false, true])
})

it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('stops the server as well on %s', async (signal) => {
  await waitForServers(1)
  dev.kill(signal)
  const { exitCode } = await dev
  if (signal !== 'SIGKILL') expect(exitCode).toBe(0)
  await vi.waitFor(() => expect(startedPids().map(isAlive)).toEqual([false]), { timeout: 30_000 })
})
