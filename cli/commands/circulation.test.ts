import { expect, it } from 'vitest'
import { Publications } from '#core/publications/publications.rows.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'

it('prints circulation on a day as tables, JSON and CSV, and reports days for which it is not known', async () => {
  const services = await openTestServices()
  const { id } = await makePublication(services, { urlKey: 'counted', publicationName: 'Harbour Light' })
  await makeReader(services, id, { subEndOn: '2100-01-01', subPaid: 1200 })
  await makeReader(services, id, { subEndOn: '2100-01-01', subType: 'digital', country: 'NO' })
  const run = (...flags: string[]) =>
    runCli(['circulation', '--publication', 'counted', '--on', '2030-01-01', ...flags], { env: envOf(services) })

  const table = await run()
  expect(table.exit).toBe(0)
  expect(table.stdout).toContain('All\t1\t1\t0\t1\t1\t2\n')
  const { counts, change } = JSON.parse((await run('--json', '--spares', '2', '--since', '22/11/2026')).stdout)
  expect(counts.printOrder).toEqual({ copies: 1, spares: 1, order: 2 })
  expect(change.products[0]).toMatchObject({ product: 'print', opening: 1, closing: 1 })
  // The CSV shows the same print order, spares, price bands and changes.
  const flags = ['--spares', '2', '--since', '22/11/2026']
  const csv = (await run('--csv', ...flags)).stdout
  for (const row of [
    'All,Harbour Light,01/01/2030,All,,,,1,1,0,1,1,2,1,1,2',
    'Zone,Harbour Light,01/01/2030,United Kingdom,,United Kingdom,,1,0,0,1,0,1,1,1,2',
    'Price band,Harbour Light,01/01/2030,USA and rest of world,,,US,0,1,0,0,1,1,0,,',
    'Country,Harbour Light,01/01/2030,Norway,NO,Europe,US,0,1,0,0,1,1,0,,',
    'Change,Harbour Light,01/01/2030,On 22/11/2026,,,,1,1,0,,,2,,,',
    'Change,Harbour Light,01/01/2030,On 01/01/2030,,,,1,1,0,,,2,,,',
  ])
    expect(csv).toContain(`${row}\r\n`)
  expect(csv).not.toContain('\ufeff')
  const tables = (await run(...flags)).stdout
  expect(tables).toContain('All zones\t1\t1\t0\t1\t1\t2\t1\t1\t2\n')
  expect(tables).toContain('USA and rest of world\t0\t1\t0\t0\t1\t1\n')
  expect(tables).toContain('print\tOn 01/01/2030\t1\n')

  expect(await run('--on', 'never')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('--on never is not a date'),
  })
  await Publications.update(services, { id }, { circulationFrom: '2026-11-21' })
  const unknown = await run('--on', '2026-11-20')
  expect(unknown).toMatchObject({ exit: 5, stderr: expect.stringContaining('not known before 21/11/2026') })
  expect(await run('--on', '2026-11-20', '--csv')).toMatchObject({ exit: 5 })

  await Publications.update(services, { id }, { removedAt: new Date() })
  expect((await run()).stdout).toContain('All\t1\t1\t0\t1\t1\t2\n')
})
