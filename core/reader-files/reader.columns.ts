import { nearest } from '../kernel/words.ts'
import type { CellKindName } from './cell-kinds.rules.ts'
import type { ImportMode } from './import-modes.rules.ts'

/** A column of a reader file: the template, the exports and the importer all go by this one table. */
export interface ReaderColumn {
  header: string
  /** The reader's field; `id` is Masthead's own number. */
  field: string
  /** The database column. */
  column: string
  kind: CellKindName
  /** Longest text taken, in characters. */
  max: number
  /** One line for the people who fill the file in. */
  hint: string
}

const text = (
  header: string,
  field: string,
  column: string,
  max: number,
  hint = '',
  kind: CellKindName = 'text',
): ReaderColumn => ({
  header,
  field,
  column,
  kind,
  max,
  hint,
})
const flag = (header: string, field: string, column: string, what: string): ReaderColumn =>
  text(header, field, column, 10, `TRUE is opted out of ${what}, FALSE is opted in; blank is opted out`, 'flag')

/** THE table, in file order. */
export const readerColumns = [
  text(
    'BuyerId',
    'id',
    'id',
    20,
    'Masthead’s own number: exports carry it; combining and replacing know readers by it, adding ignores it',
  ),
  text(
    'UniqueReference',
    'uniqueReference',
    'unique_reference',
    60,
    'Different for every reader; blank gets a new one',
  ),
  text('Title', 'title', 'title', 30),
  text('FirstName', 'firstName', 'first_name', 100),
  text('LastName', 'lastName', 'last_name', 100),
  text('FullName', 'fullName', 'full_name', 200, 'The name as it stands on the label'),
  text('Email', 'email', 'email', 254, '', 'email'),
  text('JobTitle', 'jobTitle', 'job_title', 200),
  text('CompanyName', 'companyName', 'company_name', 200),
  text('Address1', 'addressOne', 'address_one', 200),
  text('Address2', 'addressTwo', 'address_two', 200),
  text('Address3', 'addressThree', 'address_three', 200),
  text('Address4', 'addressFour', 'address_four', 200),
  text('City', 'city', 'city', 100),
  text('State', 'state', 'state', 100),
  text('PostCode', 'postCode', 'post_code', 20),
  text('Country', 'country', 'country', 100, 'English name or two-letter code; blank is your own country', 'country'),
  text('Telephone', 'telephone', 'telephone', 40),
  text('Fax', 'fax', 'fax', 40),
  text('WebAddress', 'webAddress', 'web_address', 500),
  text('ReaderType', 'readerType', 'reader_type', 100),
  flag('PubOffers', 'pubOffers', 'pub_offers', 'your own offers by email'),
  flag('PubOffersPost', 'pubOffersPost', 'pub_offers_post', 'your own offers by post'),
  flag('PubOffersTel', 'pubOffersTel', 'pub_offers_tel', 'your own offers by telephone'),
  flag('PubOffersSMS', 'pubOffersSms', 'pub_offers_sms', 'your own offers by SMS'),
  flag('PartnerOffers', 'partnerOffers', 'partner_offers', 'partners’ offers by email'),
  flag('PartnerOffersPost', 'partnerOffersPost', 'partner_offers_post', 'partners’ offers by post'),
  flag('PartnerOffersTel', 'partnerOffersTel', 'partner_offers_tel', 'partners’ offers by telephone'),
  flag('PartnerOffersSMS', 'partnerOffersSms', 'partner_offers_sms', 'partners’ offers by SMS'),
  text('SubStart', 'subStartOn', 'sub_start_on', 20, 'DD/MM/YYYY; blank is 01/01/1970', 'startDay'),
  text('SubExpiry', 'subEndOn', 'sub_end_on', 20, 'DD/MM/YYYY; blank is 01/01/2100, until further notice', 'endDay'),
  text('SubRenew', 'subRenewOn', 'sub_renew_on', 20, 'DD/MM/YYYY; blank is 01/01/2100', 'endDay'),
  text('SubType', 'subType', 'sub_type', 10, 'print, digital or bundle; blank is no subscription', 'subType'),
  text(
    'SubPaid',
    'subPaid',
    'sub_paid',
    20,
    'For example 10.50, in your main currency; blank is a free reader',
    'money',
  ),
  text('SubHistory', 'history', 'history', 10_000, 'Notes; may have several lines', 'note'),
  text('DataSource1', 'dataSourceOne', 'data_source_one', 200),
  text('DataSource2', 'dataSourceTwo', 'data_source_two', 200),
  text('CustomQuestionA', 'answerA', 'answer_a', 500, 'The reader’s answer to your question A'),
  text('CustomQuestionB', 'answerB', 'answer_b', 500, 'The reader’s answer to your question B'),
  text('CustomQuestionC', 'answerC', 'answer_c', 500, 'The reader’s answer to your question C'),
  text('CustomQuestionD', 'answerD', 'answer_d', 500, 'The reader’s answer to your question D'),
  text('CustomQuestionE', 'answerE', 'answer_e', 500, 'The reader’s answer to your question E'),
] as const satisfies readonly ReaderColumn[]

/** The template people fill in: the header alone, as a CSV line. */
export const readerFileHeader = readerColumns.map(({ header }) => header).join(',')

/** Columns a file of rejected rows carries beside its own; an import steps over them, so that the mended file goes in as it is. */
export const rejectColumns = ['RejectedLine', 'RejectedColumn', 'RejectedReason'] as const

/** A header without case, spaces and underscores. */
const plain = (header: string) => header.toLowerCase().replaceAll(/[\s_]/g, '')

const positions = new Map(readerColumns.map(({ header }, index) => [plain(header), index]))
const ignored = new Set(rejectColumns.map(plain))

export interface HeaderMapping {
  /** For each column of the file, its place in `readerColumns`; -1 for one that is stepped over. */
  columns: number[]
  /** What is wrong with the header; empty when it fits. */
  problems: string[]
}

/** A file's own column names with the reader column each one means; empty is not imported. */
export type ColumnMapping = Readonly<Record<string, string>> | readonly string[]

/** A header with the names a mapping gives its columns: by their names, or one for each in their order. */
export function renamedHeader(header: readonly string[], mapping: ColumnMapping | undefined): string[] {
  if (mapping === undefined) return [...header]
  if (Array.isArray(mapping)) return header.map((_, index) => String((mapping as readonly string[])[index] ?? ''))
  const names = mapping as Readonly<Record<string, string>>
  return header.map((name) => (Object.hasOwn(names, name) ? String(names[name]) : name))
}

/**
 * Fits a file's header to the table; every misfit is named, with the nearest known column. A file that changes readers may name them by
 * BuyerId alone.
 */
export function mapHeader(header: readonly string[], mode: ImportMode = 'add'): HeaderMapping {
  const seen = new Map<number, string>()
  const unknown: string[] = []
  const problems: string[] = []
  const columns = header.map((name) => {
    const key = plain(name)
    if (key === '' || ignored.has(key)) return -1
    const index = positions.get(key)
    if (index === undefined) {
      unknown.push(name.trim())
      return -1
    }
    if (seen.has(index)) problems.push(`the column ${readerColumns[index]?.header} stands twice`)
    seen.set(index, name)
    return index
  })
  if (unknown.length > 0)
    problems.unshift(`unknown ${unknown.length === 1 ? 'column' : 'columns'} ${listUnknown(unknown)}`)
  const has = (...headers: string[]) => headers.some((name) => seen.has(positions.get(plain(name)) ?? -1))
  if (
    !has('UniqueReference', 'FirstName', 'LastName', 'FullName', 'Email', ...(mode === 'combine' ? ['BuyerId'] : []))
  ) {
    problems.push('missing columns: it needs at least one of UniqueReference, FirstName, LastName, FullName and Email')
  }
  return { columns, problems }
}

function listUnknown(names: string[]): string {
  const headers = readerColumns.map(({ header }) => header)
  const shown = names.slice(0, 10).map((name) => {
    const near = nearest(name.replaceAll(/[\s_]/g, ''), headers)
    return `"${name.length > 40 ? `${name.slice(0, 40)}…` : name}"${near ? ` (did you mean ${near}?)` : ''}`
  })
  return shown.join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '')
}
