import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { DataTypes } from 'sequelize'
import { isRejectedRow, makeRowReader } from '#core/imports/load/read-row.rules.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { type Amount, cellKinds } from '#core/readers/cell-kinds.rules.ts'
import { type ReaderRow, Readers } from '#core/readers/readers.rows.ts'
import type { Timed } from './timed-process.ts'

const attributeTypes = {
  ref: DataTypes.BIGINT,
  integer: DataTypes.BIGINT,
  text: DataTypes.TEXT,
  flag: DataTypes.BOOLEAN,
  day: DataTypes.DATEONLY,
  instant: DataTypes.DATE,
  real: DataTypes.DOUBLE,
  json: DataTypes.JSON,
} as const

/** The usual way, for comparison: csv-parse, the same checks and keys, a thousand models at a time. Adds to the same publication. */
export async function bulkCreate(env: NodeJS.ProcessEnv, lines: Iterable<string>): Promise<Timed> {
  const services = await makeServices(readEnv(env))
  const started = performance.now()
  const cpu = process.cpuUsage()
  const read = makeRowReader({
    mode: 'add',
    columns: readerColumns.map((_, index) => index),
    header: readerColumns.map(({ header }) => header),
    homeCountry: 'GB',
    mainCurrency: 'GBP',
  })
  const model = services.db.sequelize.define(
    'readers',
    Object.fromEntries(
      Object.entries(Readers.definition).map(([name, { type }]) => [
        name,
        { type: attributeTypes[type], primaryKey: name === 'id', autoIncrement: name === 'id' },
      ]),
    ),
    { underscored: true },
  )
  let rows: Partial<ReaderRow>[] = []
  const write = async () => {
    const chunk = rows
    rows = []
    await services.db.transaction(() => model.bulkCreate(chunk))
  }
  for await (const cells of Readable.from(lines).pipe(parse({ from: 2 })) as AsyncIterable<string[]>) {
    const row = read(cells)
    if (isRejectedRow(row)) continue
    const fields = Object.fromEntries(
      readerColumns.slice(1).map(({ field, kind }, index) => {
        const value = row.values[index + 1]
        return [field, cellKinds[kind] === cellKinds.money ? ((value as Amount | null)?.amount ?? null) : value]
      }),
    )
    rows.push({
      ...fields,
      ...row.keys,
      publicationId: 1,
      uniqueReference: randomUUID(),
      subCurrency: row.currency,
      origin: 'file',
    })
    if (rows.length === 1000) await write()
  }
  if (rows.length > 0) await write()
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - started) / 1000
  await services.db.close()
  return { seconds, cpuSeconds: (user + system) / 1e6, peakMb: null }
}
