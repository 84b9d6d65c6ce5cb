import { describe, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { startPostgresProxy } from '#tests/support/postgres-proxy.ts'
import { openTestServices } from '#tests/support/test-services.ts'

describe('a command that loses its database connection', () => {
  for (const mode of ['cut', 'terminate', 'terminate while opening'] as const) {
    it(`reports it, says what to do and exits 1 (${mode})`, async () => {
      const services = await openTestServices()
      const proxy = await startPostgresProxy(services.databaseUrl)
      atFileEnd(() => proxy.stop())
      proxy.mode = mode
      const { exit, stdout, stderr } = await runCli(['publications', 'list'], {
        env: envOf({ ...services, databaseUrl: proxy.url }),
      })
      expect(proxy.ended).toBeGreaterThan(0)
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
      expect(stderr).toMatch(/^error: The database .*(is not responding|is no longer responding)/)
      expect(stderr).toContain('subscriptions doctor')
    })
  }
})
