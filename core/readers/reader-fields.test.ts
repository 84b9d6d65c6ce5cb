import { beforeAll, describe, expect, it } from 'vitest'
import { columnName } from '#core/kernel/column-name.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { type FieldKind, type InternalKind, internalReaderColumns, readerFields } from './reader-fields.rules.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const describeTable = (table: string) => services.db.sequelize.getQueryInterface().describeTable(table)

/** Column types by kind, as SQLite or PostgreSQL names them. */
const types: Record<FieldKind | InternalKind, RegExp> = {
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
  it('lists exactly the columns of `readers`, each once', async () => {
    const listed = [...readerFields, ...internalReaderColumns].map(({ name }) => columnName(name))
    expect(listed.toSorted()).toEqual(Object.keys(await describeTable('readers')).toSorted())
  })

  it('lists exactly the columns of `reader_backups`', async () => {
    const listed = [
      ...readerFields.map(({ name }) => columnName(name)),
      ...internalReaderColumns.map((column) => ('backup' in column ? column.backup : columnName(column.name))),
    ]
    // The import, the kind of change, and the version after it.
    const ownColumns = ['upload_id', 'kind', 'version_after']
    expect([...listed, ...ownColumns].toSorted()).toEqual(Object.keys(await describeTable('reader_backups')).toSorted())
  })

  it('gives each field the type of its column, and each text its maximum length', async () => {
    const columns = await describeTable('readers')
    for (const { name, kind } of [...readerFields, ...internalReaderColumns])
      expect.soft(columns[columnName(name)]?.type.toUpperCase(), name).toMatch(types[kind])
    for (const { name, kind, max } of readerFields)
      if (kind === 'text' || kind === 'email') expect.soft(columns[columnName(name)]?.type, name).toContain(`(${max})`)
  })
})
