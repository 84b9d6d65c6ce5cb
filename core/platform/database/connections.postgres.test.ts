import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConnectionAcquireTimeoutError } from 'sequelize'
import { beforeAll, describe, expect, it } from 'vitest'
import { importReaders } from '#core/imports/import-readers.ts'
import { AppError } from '#core/kernel/errors.ts'
import { postalZones } from '#core/kernel/postal-zones.rules.ts'
import { mailingRows } from '#core/mailing/mailing-rows.ts'
import { deferred } from '#tests/support/deferred.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import type { MailingPlan, MailingTally } from '../../mailing/mailing-file.rules.ts'
import { throwLostConnection } from './lost-connection.ts'

let services: TestServices
let publicationId: number
beforeAll(async () => {
  services = await openTestServices()
  publicationId = (await makePublication(services, {})).id
  for (let n = 0; n < 3; n++)
    await makeReader(services, publicationId, {
      lastName: `Novák ${n}`,
      addressOne: '1 High Street',
      postCode: 'TR1 2AB',
      country: 'GB',
    })
})

/** Starts reading each of the files and pauses, as a stalled browser does, expects a free connection, and reads the rest. */
async function readSlowly<Chunk>(files: AsyncIterable<Chunk>[]): Promise<Chunk[][]> {
  const chunks: Chunk[][] = []
  const readers = files.map((file) => file[Symbol.asyncIterator]())
  for (const reader of readers) {
    const { value, done } = await reader.next()
    chunks.push(done ? [] : [value])
  }
  expect(await services.db.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  for (const [index, reader] of readers.entries())
    for (let step = await reader.next(); !step.done; step = await reader.next()) chunks[index]?.push(step.value)
  return chunks
}

it('as many connections are opened for requests and jobs as DATABASE_CONNECTIONS allows', async () => {
  const { db } = await openTestServices({ DATABASE_CONNECTIONS: '2' })
  const bothUsed = deferred()
  const processIds = new Set<unknown>()
  const useConnection = () =>
    db.transaction(async () => {
      const [row] = await db.query<{ id: number }>('SELECT pg_backend_pid() AS id')
      processIds.add(row?.id)
      if (processIds.size === 2) bothUsed.resolve()
      await bothUsed.promise
    })
  await Promise.all(Array.from({ length: 12 }, useConnection))
  expect(processIds.size).toBe(2)
})

describe('connections for bulk operations', () => {
  it('are separate from those of requests: ten jobs hold two each', async () => {
    const { db } = services
    const held = await Promise.all(Array.from({ length: 20 }, () => db.bulk.postgres()))
    const row = await db.query('SELECT 1 AS one')
    for (const client of held) await client.release()
    expect(row).toEqual([{ one: 1 }])
  })

  it('are enough for ten imports at once, which make references', async () => {
    const file = join(services.dataDir, 'readers.csv')
    writeFileSync(file, 'FirstName,LastName\r\nAda,Novak\r\nBo,Lind\r\n')
    const titles = []
    for (let n = 0; n < 10; n++) titles.push(await makePublication(services))
    const reports = await Promise.all(
      titles.map(({ urlKey }) => importReaders(services.as(operator), { urlKey, file, mode: 'add' })),
    )
    expect(reports.map(({ added }) => added)).toEqual(titles.map(() => 2))
  })

  it('have the settings of all others', async () => {
    const { db } = services
    const shown = `SELECT current_setting('TimeZone') AS zone, current_setting('jit') AS jit`
    const client = await db.bulk.postgres()
    const { rows } = await client.query(shown)
    await client.release()
    expect(rows).toEqual(await db.query(shown))
  })

  it('wait for the database on every block of a long COPY, without adding listeners each time', async () => {
    const client = await services.db.bulk.postgres()
    const warnings: string[] = []
    const addWarning = (warning: Error) => warnings.push(warning.message)
    process.on('warning', addWarning)
    await client.query('CREATE TEMPORARY TABLE blocks (text TEXT)')
    const copy = client.copyIn('COPY blocks FROM STDIN')
    for (let n = 0; n < 20; n++) await copy.write(Buffer.from(`${'x'.repeat(1_000_000)}\n`))
    await copy.end()
    const { rows } = await client.query('SELECT COUNT(*)::int AS blocks FROM blocks')
    await client.release(false)
    process.off('warning', addWarning)
    expect([rows, warnings]).toEqual([[{ blocks: 20 }], []])
  })

  it('are not held by exports whose readers stop reading', async () => {
    const exportFile = () => services.readerFiles.exportLines({ publicationId, mainCurrency: 'GBP' })
    const files = await readSlowly(Array.from({ length: 30 }, exportFile))
    for (const file of files) expect(Buffer.concat(file).toString().split('\r\n')).toHaveLength(4)
  })

  it('are not held by mailing files whose readers stop reading', async () => {
    const plan: MailingPlan = {
      publicationId,
      mainCurrency: 'GBP',
      on: '2026-06-01',
      columns: ['LastName'],
      sample: 3,
      isDryRun: false,
      zones: postalZones,
    }
    const files = await readSlowly(Array.from({ length: 30 }, () => mailingRows(services.db, plan, {} as MailingTally)))
    for (const file of files) expect(file.flat()).toHaveLength(3)
  })

  it('report when none becomes free', () => {
    const timeout = new ConnectionAcquireTimeoutError(new Error('Operation timeout'))
    const message = 'The database gave this process no connection within 20 seconds'
    expect(() => throwLostConnection(timeout)).toThrow(message)
    expect(services.db.bulk.problemOf(new AppError('unavailable', message, { cause: timeout }))).toMatchObject({
      what: message,
    })
  })
})
