import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { bulkSizes } from '#core/platform/database/bulk-ports.ts'
import { projectRoot } from '#core/platform/project-root.ts'
import type { TestServices } from './test-services.ts'

const root = projectRoot()

/** The environment that a separate process needs to work on this test database. */
export function processEnv({ dataDir, databaseUrl, settings }: TestServices): NodeJS.ProcessEnv {
  const { PATH } = process.env
  return { PATH, NODE_ENV: 'test', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, APP_SECRET: settings.appSecret }
}

/**
 * Runs code with an operator's `ctx` on this test database in a child process, and kills that process with SIGKILL at the first value for
 * which `shouldKill` is true. The code reports values by `tell(value)`, which blocks until that is decided, so that there is no race at the
 * kill point. It may set `clock.now`.
 */
export async function killedWhile(
  services: TestServices,
  {
    imports,
    body,
    shouldKill,
    env = {},
  }: {
    imports: string
    body: string
    shouldKill: (reported: Record<string, unknown>) => boolean
    /** Further environment variables. */
    env?: Record<string, string>
  },
): Promise<void> {
  const program = `
    import { readSync, writeSync } from 'node:fs'
    import { contextFor } from '#core/context.ts'
    import { readEnv } from '#core/platform/env.ts'
    import { bulkSizes } from '#core/platform/database/bulk-ports.ts'
    import { makeServices } from '#core/platform/make-services.ts'
    ${imports}
    Object.assign(bulkSizes, ${JSON.stringify(bulkSizes)})
    const clock = { now: null }
    const services = await makeServices(readEnv(process.env), { now: () => clock.now ?? new Date() })
    const ctx = contextFor(services, { kind: 'operator' }, { entryPoint: 'cli' })
    const tell = (value) => {
      writeSync(1, JSON.stringify(value) + '\\n')
      readSync(0, Buffer.alloc(1))
    }
    ${body}
    tell({ isDone: true })
  `
  const file = await bundled(program)
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: services.dataDir,
      DATABASE_URL: services.databaseUrl,
      APP_SECRET: services.settings.appSecret,
      NODE_ENV: 'test',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let last = 'nothing'
  for await (const line of createInterface({ input: child.stdout })) {
    const reported = JSON.parse(line) as Record<string, unknown>
    if (reported.isDone) throw new Error(`The program ended before shouldKill was true; its last value was ${last}`)
    last = line
    if (!shouldKill(reported)) {
      child.stdin.write('.')
      continue
    }
    child.kill('SIGKILL')
    break
  }
  await exited
  rmSync(file)
}

/** Bundles the program into one file, which starts eight times faster than its 700 TypeScript modules. Returns the file's path. */
export async function bundled(program: string): Promise<string> {
  const outfile = join(root, 'node_modules/.cache/masthead-tests', `${randomUUID()}.mjs`)
  await build({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    packages: 'external',
    logLevel: 'warning',
  })
  return outfile
}

/**
 * Like `killedWhile`, but kills the process just before the commit of the nth transaction (`commit`, from 1). Transactions of `ctx.db` and of bulk
 * connections count.
 */
export function killedBeforeCommit(
  services: TestServices,
  { imports, body, commit, env = {} }: { imports: string; body: string; commit: number; env?: Record<string, string> },
): Promise<void> {
  const counting = `
    let commits = 0
    const counted = (begin) => (work) => begin(async () => {
      const result = await work()
      tell({ commits: ++commits })
      // Blocks the thread, so that nothing else runs before the kill.
      if (commits === ${commit}) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      return result
    })
    const { db } = services
    db.transaction = counted(db.transaction.bind(db))
    const connect = db.bulk.connect.bind(db.bulk)
    db.bulk.connect = async (...args) => {
      const connection = await connect(...args)
      return { ...connection, write: counted(connection.write.bind(connection)) }
    }
  `
  return killedWhile(services, { imports, body: counting + body, shouldKill: ({ commits }) => commits === commit, env })
}
