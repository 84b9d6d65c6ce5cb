import { beforeAll, describe, expect, it } from 'vitest'
import { columnName } from '#core/kernel/column-name.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { type FieldKind, type KeptKind, keptReaderColumns, readerFields } from './reader-fields.rules.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const describeTable = (table: string) => services.db.sequelize.getQueryInterface().describeTable(table)

/** The database's types by kind, as either engine calls them. */
const types: Record<FieldKind | KeptKind, RegExp> = {
  text: /^(VARCHAR|CHARACTER VARYING)/,
  note: /^TEXT$/,
  email: /^(VARCHAR|CHARACTER VARYING)/,
  country: /^(VARCHAR|CHARACTER VARYING)\(2\)/,
  flag: /^BOOLEAN$/,
  startDay: /^DATE$/,
  endDay: /^DATE$/,
  subType: /^(VARCHAR|CHARACTER VARYING)/,
  money: /^(BIGINT|INTEGER)$/,
  number: /^(BIGINT|INTEGER)$/,
  reference: /^(BIGINT|INTEGER)$/,
  dayOfMonth: /^INTEGER$/,
  yesNo: /^BOOLEAN$/,
  currency: /^(CHAR|CHARACTER)\(3\)/,
  origin: /^(VARCHAR|CHARACTER VARYING)/,
  moment: /^(DATETIME|TIMESTAMP WITH TIME ZONE)$/,
  key: /^(VARCHAR|CHARACTER VARYING)/,
}

describe('the list of reader fields', () => {
  it('names every column of the readers and no other, each once', async () => {
    const listed = [...readerFields, ...keptReaderColumns].map(({ name }) => columnName(name))
    expect(listed.toSorted()).toEqual(Object.keys(await describeTable('readers')).toSorted())
  })

  it('names every column of their backups', async () => {
    const listed = [
      ...readerFields.map(({ name }) => columnName(name)),
      ...keptReaderColumns.map((column) => ('backup' in column ? column.backup : columnName(column.name))),
    ]
    // Which import, what it did, and the version it left behind.
    const own = ['upload_id', 'kind', 'version_after']
    expect([...listed, ...own].toSorted()).toEqual(Object.keys(await describeTable('reader_backups')).toSorted())
  })

  it('gives each the kind that its column has, and no text more room than that', async () => {
    const columns = await describeTable('readers')
    for (const { name, kind } of [...readerFields, ...keptReaderColumns])
      expect.soft(columns[columnName(name)]?.type.toUpperCase(), name).toMatch(types[kind])
    for (const { name, kind, max } of readerFields)
      if (kind === 'text' || kind === 'email') expect.soft(columns[columnName(name)]?.type, name).toContain(`(${max})`)
  })
})
