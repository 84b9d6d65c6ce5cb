import { columnName } from '../kernel/column-name.ts'
import {
  type FieldKind,
  type ReaderHeader,
  readerFields,
  type StoredReaderField,
} from '../readers/reader-fields.rules.ts'

/** A column of a reader file. */
export interface ReaderColumn {
  header: 'BuyerId' | ReaderHeader
  /** The reader's field; `id` is Masthead's own number. */
  field: 'id' | StoredReaderField
  /** The database column. */
  column: string
  kind: FieldKind
  /** The maximum length, in characters. */
  max: number
  /** One line for the people who fill in the file. */
  hint: string
}

/** The columns in file order: Masthead's own number, then the list of reader fields. Template, exports and importer all use them. */
export const readerColumns: readonly ReaderColumn[] = [
  {
    header: 'BuyerId',
    field: 'id',
    column: 'id',
    kind: 'text',
    max: 20,
    hint: 'Masthead’s own number, included in exports: combining and replacing find readers by it, adding ignores it',
  },
  ...readerFields.map((field) => ({
    header: field.header,
    field: field.name,
    column: columnName(field.name),
    kind: field.kind,
    max: field.max,
    hint: 'hint' in field ? field.hint : '',
  })),
]

/** The template people fill in: the header alone, as a CSV line. */
export const readerFileHeader = readerColumns.map(({ header }) => header).join(',')
