import { z } from 'zod'
import { type FieldKind, type FieldRow, readerFields, typedReaderFields } from '#core/readers/reader-fields.rules.ts'
import type { ReaderRecord } from '#core/readers/reader-record.ts'
import { subTypes } from '#core/terms/term.rules.ts'
import { IsoDay, WireAmount, WireCurrency, WireId, wireAmount } from './wire-values.ts'

const fieldRows: readonly FieldRow[] = typedReaderFields
const bodyOf = (wireName: (field: FieldRow) => string | undefined) =>
  Object.fromEntries(fieldRows.map((field) => [wireName(field) ?? field.wire ?? field.name, field.name]))

/** A new reader; its subscription has short names. */
export const newReaderBody: Record<string, string> = {
  publicationID: 'publicationId',
  ...bodyOf(({ wireNew }) => wireNew),
}

/**
 * A change: fields that are not sent stay unchanged. With `version` a record changed by another user in the meantime is not overwritten.
 */
export const changedReaderBody: Record<string, string> = {
  id: 'id',
  publicationID: 'publicationId',
  version: 'version',
  ...bodyOf(({ wireChanged }) => wireChanged),
}

/** Fields that old clients send: passwords belong to accounts, and the history is written by the server. */
export const ignoredReaderFields = ['history', 'userName', 'password'] as const

const text = z.string()

/** The schema of each kind of field in a response. */
const schemas = {
  text,
  note: text.describe('May have several lines; read-only'),
  email: text,
  country: text.describe('ISO 3166-1 alpha-2; empty: the publisher’s own country'),
  flag: z.boolean().describe('true: opted out'),
  startDay: IsoDay,
  endDay: IsoDay.describe('2100-01-01: until further notice'),
  subType: z.enum(['', ...subTypes]),
  money: WireAmount.nullable().describe('null: a free reader'),
} as const satisfies Record<FieldKind, z.ZodType>

type Field = (typeof readerFields)[number]
type WireName<Row extends Field> = Row extends { wire: infer Name extends string } ? Name : Row['name']
type FieldSchemas = { [Row in Field as WireName<Row>]: (typeof schemas)[Row['kind']] }
type WireFields = { [Name in keyof FieldSchemas]: z.input<FieldSchemas[Name]> }

const fields: readonly FieldRow[] = readerFields
const namedFields = readerFields.map(({ name, kind }, index) => ({ name, kind, wireName: fields[index]?.wire ?? name }))
const fieldSchemas = Object.fromEntries(
  namedFields.map(({ kind, wireName }) => [wireName, schemas[kind]]),
) as FieldSchemas

/** A reader with every field. */
export const WireReaderRecord = z.object({
  _id: WireId,
  publication: WireId,
  ...fieldSchemas,
  currency: WireCurrency,
  origin: z.enum(['file', 'storefront', 'staff']),
  isDeleted: z.boolean(),
  version: z.int(),
  creationDate: z.iso.datetime(),
  modified: z.iso.datetime(),
})

export function wireReaderRecord(reader: ReaderRecord): z.input<typeof WireReaderRecord> {
  return {
    _id: reader.id,
    publication: reader.publicationId,
    ...wireFields(reader),
    currency: reader.subCurrency,
    origin: reader.origin,
    isDeleted: reader.isDeleted,
    version: reader.version,
    creationDate: reader.createdAt.toISOString(),
    modified: reader.updatedAt.toISOString(),
  }
}

function wireFields(reader: ReaderRecord): WireFields {
  const values: Record<string, unknown> = {}
  for (const { name, kind, wireName } of namedFields) {
    const value = reader[name]
    values[wireName] = kind === 'money' && value !== null ? wireAmount(Number(value)) : value
  }
  return values as WireFields
}
