import { asBoolean, asInstant } from '../database.ts'
import { columnName } from '../kernel/column-name.ts'
import {
  type InternalReaderValues,
  internalReaderColumns,
  type ReaderFieldValues,
  readerFields,
  type VisibleReaderColumn,
} from './reader-fields.rules.ts'

/** A reader's stored fields without the keys of lists, as programs get them. */
export type ReaderRecord = ReaderFieldValues & Pick<InternalReaderValues, VisibleReaderColumn>

const text = (cell: unknown) => String(cell ?? '')

/** How a raw value of each kind is read. */
const decoders = {
  text,
  note: text,
  email: text,
  country: text,
  flag: asBoolean,
  startDay: text,
  endDay: text,
  subType: text,
  money: (cell: unknown) => (cell === null ? null : Number(cell)),
  number: (cell: unknown) => Number(cell),
  currency: text,
  origin: text,
  yesNo: asBoolean,
  moment: (cell: unknown) => asInstant(cell as string),
}

const cellsOf = (columns: readonly { name: string; kind: keyof typeof decoders }[]) =>
  columns.map(({ name, kind }) => ({ name, column: columnName(name), decode: decoders[kind] }))
const fieldCells = cellsOf(readerFields)
const allCells = [...fieldCells, ...cellsOf(internalReaderColumns.filter((column) => column.seenBy !== 'nobody'))]

function decoded(row: Record<string, unknown>, cells: typeof allCells): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, column, decode } of cells) values[name] = decode(row[column])
  return values
}

/** The fields of the list, from a raw row of `readers`. */
export function storedFields(row: Record<string, unknown>): ReaderFieldValues {
  return decoded(row, fieldCells) as ReaderFieldValues
}

/** A raw row of `readers` as a record. */
export function readerRecord(row: Record<string, unknown>): ReaderRecord {
  return decoded(row, allCells) as ReaderRecord
}
