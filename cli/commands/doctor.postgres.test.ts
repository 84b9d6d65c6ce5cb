import { beforeAll, describe, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { startPostgresPooler } from '#tests/support/postgres-pooler.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

describe('doctor, through a connection pooler', () => {
  const checkThrough = async (databaseUrl: string) => {
    const { exit, stdout } = await runCli(['doctor', '--json'], { env: envOf({ ...services, databaseUrl }) })
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] }
    return { exit, check: checks.find(({ name }) => name === 'Pooler') }
  }
  const startPooler = async (mode: 'session' | 'transaction') => {
    const { url, stop } = await startPostgresPooler(services.databaseUrl, mode)
    atFileEnd(stop)
    return url
  }

  it('reports transaction mode, and how to change it', async () => {
    expect(await checkThrough(await startPooler('transaction'))).toEqual({
      exit: 1,
      check: {
        name: 'Pooler',
        state: 'failed',
        found: 'connections share sessions of the server (transaction mode): imports and index builds fail',
        fix: 'Set the pooler to session mode (PgBouncer: pool_mode = session), or set DATABASE_URL to PostgreSQL itself',
      },
    })
  })

  it('accepts a pooler in session mode, and a connection without a pooler', async () => {
    for (const url of [await startPooler('session'), services.databaseUrl])
      expect(await checkThrough(url)).toEqual({
        exit: 0,
        check: { name: 'Pooler', state: 'ok', found: 'none, or in session mode', fix: null },
      })
  })
})
