import { instantText } from '#core/database.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import type { Amount, CellValue } from '#core/readers/cell-kinds.rules.ts'
import type { ReaderKeys } from '#core/readers/reader-keys.rules.ts'
import type { ReaderFileRow } from './read-row.rules.ts'
import { type EncodePlan, referencePlaceholder } from './row-batch.ts'

const fileColumns = readerColumns.filter(({ column }) => column !== 'id' && column !== 'unique_reference')
const places = fileColumns.map((column) => readerColumns.indexOf(column))
const kinds = fileColumns.map(({ kind }) => kind)
const paidIndex = readerColumns.findIndex(({ column }) => column === 'sub_paid')

/** The columns that are computed from others, each with its name in `ReaderKeys`. */
export const keyColumns = {
  key_name: 'keyName',
  key_surname: 'keySurname',
  key_post_code: 'keyPostCode',
  key_address: 'keyAddress',
  key_email: 'keyEmail',
  key_company: 'keyCompany',
  mail_sort: 'mailSort',
  post_code_state: 'postCodeState',
  address_state: 'addressState',
} as const satisfies Record<string, keyof ReaderKeys>
const keyFields = Object.values(keyColumns)

/** The columns a load fills, in the order the row texts have them. */
export const loadedColumns = [
  'publication_id',
  'upload_line',
  'unique_reference',
  ...fileColumns.map(({ column }) => column),
  'sub_currency',
  ...Object.keys(keyColumns),
  'origin',
  'upload_id',
  'modified_by',
  'created_at',
  'updated_at',
]

/** Encodes one row; a blank reference becomes the placeholder of a generated one. */
export type RowText = (row: ReaderFileRow, reference: string, line: number) => string

/** A string as an SQL literal; nothing else builds one. NUL is replaced when the file is read. */
export function sqlText(text: string): string {
  return text.indexOf("'") < 0 ? `'${text}'` : `'${text.replaceAll("'", "''")}'`
}

function sqliteValue(kind: string, value: CellValue): string {
  if (kind === 'flag') return value ? '1' : '0'
  if (kind === 'money') return value === null ? 'NULL' : String((value as Amount).amount)
  return value === '' ? "''" : sqlText(value as string)
}

/** Rows as tuples of an INSERT for SQLite: literal text is nearly as fast as its command-line import. */
function sqliteRowText({ publicationId, uploadId, modifiedBy, now }: EncodePlan): RowText {
  const instant = `'${instantText(now)}'`
  const head = `(${publicationId},`
  const tail = `,'file',${uploadId},${modifiedBy ?? 'NULL'},${instant},${instant})`
  const parts: string[] = []
  return (row, reference, line) => {
    parts[0] = `${head}${line}`
    parts[1] = reference === '' ? `'${referencePlaceholder}'` : sqlText(reference)
    for (let index = 0; index < kinds.length; index++) {
      parts[index + 2] = sqliteValue(kinds[index] as string, row.values[places[index] as number] as CellValue)
    }
    const { keys } = row
    return `${parts.join(',')},'${row.currency}',${sqlText(keys.keyName)},${sqlText(keys.keySurname)},${sqlText(keys.keyPostCode)},${sqlText(keys.keyAddress)},${sqlText(keys.keyEmail)},${sqlText(keys.keyCompany)},'${keys.mailSort}','${keys.postCodeState}','${keys.addressState}'${tail}`
  }
}

const copySpecial = /[\\\t\n\r]/
const copyEscapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function copyText(text: string): string {
  return copySpecial.test(text)
    ? text.replaceAll(/[\\\t\n\r]/g, (character) => copyEscapes[character] ?? character)
    : text
}

function copyValue(kind: string, value: CellValue): string {
  if (kind === 'flag') return value ? 't' : 'f'
  if (kind === 'money') return value === null ? '\\N' : String((value as Amount).amount)
  return value === '' ? '' : copyText(value as string)
}

/** Rows as lines of COPY's text format for PostgreSQL. */
function postgresRowText({ publicationId, uploadId, modifiedBy, now }: EncodePlan): RowText {
  const instant = now.toISOString()
  const tail = `\tfile\t${uploadId}\t${modifiedBy ?? '\\N'}\t${instant}\t${instant}\n`
  const parts: string[] = []
  return (row, reference, line) => {
    parts[0] = `${publicationId}\t${line}`
    parts[1] = reference === '' ? referencePlaceholder : copyText(reference)
    for (let index = 0; index < kinds.length; index++) {
      parts[index + 2] = copyValue(kinds[index] as string, row.values[places[index] as number] as CellValue)
    }
    const { keys } = row
    return `${parts.join('\t')}\t${row.currency}\t${keys.keyName}\t${keys.keySurname}\t${keys.keyPostCode}\t${keys.keyAddress}\t${copyText(keys.keyEmail)}\t${keys.keyCompany}\t${keys.mailSort}\t${keys.postCodeState}\t${keys.addressState}${tail}`
  }
}

/** A dry run only checks which references are taken: reference and line, with NULL for a reference that would be generated. */
function referenceText({ dialect }: EncodePlan): RowText {
  return dialect === 'sqlite'
    ? (_row, reference, line) => `(${reference === '' ? 'NULL' : sqlText(reference)},${line})`
    : (_row, reference, line) => `${reference === '' ? '\\N' : copyText(reference)}\t${line}\n`
}

/** The columns of the temporary table that a file is loaded into before it is compared with the readers. */
export const stagedColumns = [
  'line',
  'buyer_id',
  'unique_reference',
  ...fileColumns.map(({ column }) => column),
  'sub_currency',
  ...Object.keys(keyColumns),
]

/** A row as it is in the stage. When readers are combined, a cell without a value is NULL: the stored value is kept. */
function stagedRowText({ dialect, mode }: EncodePlan): RowText {
  const isSqlite = dialect === 'sqlite'
  const nullText = isSqlite ? 'NULL' : '\\N'
  const text = isSqlite ? sqlText : copyText
  const valueText = isSqlite ? sqliteValue : copyValue
  const keepsBlank = mode === 'combine'
  const parts: string[] = []
  return (row, reference, line) => {
    parts[0] = String(line)
    parts[1] = row.buyerId === null ? nullText : String(row.buyerId)
    parts[2] = reference === '' ? nullText : text(reference)
    for (let index = 0; index < kinds.length; index++) {
      const place = places[index] as number
      parts[index + 3] =
        keepsBlank && !row.isFilled[place]
          ? nullText
          : valueText(kinds[index] as string, row.values[place] as CellValue)
    }
    const { keys } = row
    const currency = keepsBlank && !row.isFilled[paidIndex] ? nullText : text(row.currency)
    const tail = keyFields.map((field) => text(keys[field]))
    return isSqlite
      ? `(${parts.join(',')},${currency},${tail.join(',')})`
      : `${parts.join('\t')}\t${currency}\t${tail.join('\t')}\n`
  }
}

/** How this load encodes its rows. */
export function rowTextFor(plan: EncodePlan): RowText {
  if (plan.mode !== 'add') return stagedRowText(plan)
  if (plan.uploadId === null) return referenceText(plan)
  return plan.dialect === 'sqlite' ? sqliteRowText(plan) : postgresRowText(plan)
}

const insertHead = `INSERT INTO readers (${loadedColumns.join(', ')}) VALUES `
const insertTail = ' ON CONFLICT (publication_id, unique_reference) DO NOTHING'

/**
 * A batch's rows as one text: on SQLite the whole statement, since adding its beginning and end later would copy the long text; on PostgreSQL lines for
 * COPY.
 */
export function batchStatement({ dialect, uploadId, mode }: EncodePlan, rows: readonly string[]): string {
  if (dialect === 'postgres') return rows.join('')
  if (mode !== 'add') return `INSERT INTO stage_rows VALUES ${rows.join(',')}`
  if (uploadId === null) return `INSERT INTO temp.batch VALUES ${rows.join(',')}`
  return `${insertHead}${rows.join(',')}${insertTail}`
}
