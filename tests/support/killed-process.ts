import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { projectRoot } from '#core/platform/project-root.ts'
import type { TestServices } from './test-services.ts'

const root = projectRoot()

/**
 * Runs a piece of program with a `ctx` of the operator on this world in a process of its own, and kills that process, with no time for a
 * last word, as soon as it has told a line that `isTime` agrees with. The program tells by `tell(value)`, which stands still until that is
 * decided: where it is killed does not depend on who is quicker. It may travel by `clock.now`.
 */
export async function killedWhile(
  services: TestServices,
  {
    imports,
    body,
    isTime,
    env = {},
  }: {
    imports: string
    body: string
    isTime: (told: Record<string, unknown>) => boolean
    /** Further settings of the installation. */
    env?: Record<string, string>
  },
): Promise<void> {
  const program = `
    import { readSync, writeSync } from 'node:fs'
    import { contextFor } from '#core/context.ts'
    import { readEnv } from '#core/platform/env.ts'
    import { makeServices } from '#core/platform/make-services.ts'
    ${imports}
    const clock = { now: null }
    const services = await makeServices(readEnv(process.env), { now: () => clock.now ?? new Date() })
    const ctx = contextFor(services, { kind: 'operator' }, { door: 'cli' })
    const tell = (value) => {
      writeSync(1, JSON.stringify(value) + '\\n')
      readSync(0, Buffer.alloc(1))
    }
    ${body}
    tell({ isDone: true })
  `
  const file = await bundled(program)
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
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
    const told = JSON.parse(line) as Record<string, unknown>
    if (told.isDone) throw new Error(`The program came to its end before it was time to kill it; it last told ${last}`)
    last = line
    if (!isTime(told)) {
      child.stdin.write('.')
      continue
    }
    child.kill('SIGKILL')
    break
  }
  await exited
  rmSync(file)
}

/** The program as one file, which starts in an eighth of the time that its 700 modules take to be found and stripped of types one by one. */
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
    sourcemap: 'inline',
    logLevel: 'warning',
  })
  return outfile
}

/**
 * The same, killed while it stands still in front of one commit: that of the transaction with this number, counted from one. Whatever the
 * program writes in a transaction of `ctx.db` or of a bulk connection counts.
 */
export function killedBeforeCommit(
  services: TestServices,
  { imports, body, commit, env = {} }: { imports: string; body: string; commit: number; env?: Record<string, string> },
): Promise<void> {
  const counting = `
    let commits = 0
    const counted = (begin) => (work) => begin(async () => {
      const made = await work()
      tell({ commits: ++commits })
      // The thread stands still, so that nothing of it can go on before it is killed.
      if (commits === ${commit}) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      return made
    })
    const { db } = services
    db.transaction = counted(db.transaction.bind(db))
    const connect = db.bulk.connect.bind(db.bulk)
    db.bulk.connect = async (...given) => {
      const connection = await connect(...given)
      return { ...connection, write: counted(connection.write.bind(connection)) }
    }
  `
  return killedWhile(services, { imports, body: counting + body, isTime: ({ commits }) => commits === commit, env })
}
