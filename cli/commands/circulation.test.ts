import { expect, it } from 'vitest'
import { Publications } from '#core/publications/publications.rows.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'

it('circulation counts a day for people, programs and spreadsheets, and says where it is not known', async () => {
  const services = await openTestServices()
  const { id } = await makePublication(services, { urlKey: 'counted', publicationName: 'Harbour Light' })
  await makeReader(services, id, { subEndOn: '2100-01-01', subPaid: 1200 })
  await makeReader(services, id, { subEndOn: '2100-01-01', subType: 'digital', country: 'NO' })
  const run = (...flags: string[]) =>
    runCli(['circulation', '--publication', 'counted', '--on', '2030-01-01', ...flags], { env: envOf(services) })

  const people = await run()
  expect(people.exit).toBe(0)
  expect(people.stdout).toContain('All\t1\t1\t0\t1\t1\t2\n')
  const { counts, change } = JSON.parse((await run('--json', '--spares', '2', '--since', '22/11/2026')).stdout)
  expect(counts.printOrder).toEqual({ copies: 1, spares: 1, order: 2 })
  expect(change.products[0]).toMatchObject({ product: 'print', opening: 1, closing: 1 })
  expect((await run('--csv')).stdout).toContain('Harbour Light,01/01/2030,NO,Europe,US,0,1,0,0,1,1,0\r\n')

  expect(await run('--on', 'never')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('--on never is no date'),
  })
  await Publications.update(services, { id }, { circulationFrom: '2026-11-21' })
  const unknown = await run('--on', '2026-11-20')
  expect(unknown).toMatchObject({ exit: 5, stderr: expect.stringContaining('not known before 21/11/2026') })
  expect(await run('--on', '2026-11-20', '--csv')).toMatchObject({ exit: 5 })
})
