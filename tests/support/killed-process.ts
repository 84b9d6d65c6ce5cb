import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestServices } from './test-services.ts'

/**
 * Runs a piece of program with a `ctx` of the operator on this world in a process of its own, and kills that process, with no time for a
 * last word, as soon as it has told a line that `isTime` agrees with. The program tells by `tell(value)`.
 */
export async function killedWhile(
  services: TestServices,
  { imports, body, isTime }: { imports: string; body: string; isTime: (told: Record<string, unknown>) => boolean },
): Promise<void> {
  const program = `
    import { contextFor } from '#core/context.ts'
    import { readEnv } from '#core/platform/env.ts'
    import { makeServices } from '#core/platform/make-services.ts'
    ${imports}
    const services = await makeServices(readEnv())
    const ctx = contextFor(services, { kind: 'operator' }, { door: 'cli' })
    const tell = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
    ${body}
    tell({ isDone: true })
  `
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      ...process.env,
      DATA_DIR: services.dataDir,
      DATABASE_URL: services.databaseUrl,
      APP_SECRET: 'x'.repeat(40),
      NODE_ENV: 'test',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const told = JSON.parse(line) as Record<string, unknown>
    if (told.isDone) throw new Error('The program came to its end before it was time to kill it')
    if (!isTime(told)) continue
    child.kill('SIGKILL')
    break
  }
  await exited
}
