import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { rowLock } from '../dialect.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { PostCodeState } from '../postcodes/post-code.rules.ts'
import { warningCondition } from '../warnings/list-conditions.ts'
import { listDays, warningOf } from '../warnings/warnings.rules.ts'
import { type FixableReader, type FixKind, fixKinds } from './fix-kinds.ts'

/** A reader as a fix reads it: by column, in the form it is written back. */
export interface FixableRow extends FixableReader {
  id: number
  version: number
  uniqueReference: string
  email: string
  companyName: string
  country: string
  keyName: string
  keySurname: string
  keyPostCode: string
  keyAddress: string
  mailSort: string
  postCodeState: PostCodeState
  addressState: string
}

const columns = {
  id: 'id',
  version: 'version',
  uniqueReference: 'unique_reference',
  title: 'title',
  firstName: 'first_name',
  lastName: 'last_name',
  fullName: 'full_name',
  email: 'email',
  companyName: 'company_name',
  addressOne: 'address_one',
  addressTwo: 'address_two',
  addressThree: 'address_three',
  addressFour: 'address_four',
  city: 'city',
  postCode: 'post_code',
  country: 'country',
  keyName: 'key_name',
  keySurname: 'key_surname',
  keyPostCode: 'key_post_code',
  keyAddress: 'key_address',
  mailSort: 'mail_sort',
  postCodeState: 'post_code_state',
  addressState: 'address_state',
} as const satisfies Record<keyof FixableRow, string>

const keysOfNames = ['keyName', 'keySurname'] as const
const keysOfAddresses = ['keyPostCode', 'keyAddress', 'mailSort', 'postCodeState', 'addressState'] as const

/**
 * The fields that a fix writes, each with its column: those it may change and the keys derived from them. No others, since an index is written for
 * every column that is named, changed or not.
 */
export function writtenColumns(kind: FixKind): (readonly [WrittenField, string])[] {
  const keys = kind === 'addresses' ? keysOfAddresses : keysOfNames
  return [...fixKinds[kind].fields, ...keys].map((field) => [field, columns[field]] as const)
}

type WrittenField = keyof FixableReader | (typeof keysOfNames)[number] | (typeof keysOfAddresses)[number]

const selectList = Object.entries(columns)
  .map(([field, column]) => `${column} AS "${field}"`)
  .join(', ')

interface FixableQuery {
  publicationId: number
  kind: FixKind
  /** Only readers after this one, by id. */
  after: number
  readerId?: number | null
  /** Only these readers of the list. */
  readerIds?: readonly number[] | null
  limit: number
  isLocked?: boolean
}

/** The next readers of a fix's list, by id; with `isLocked`, locked until the end of the transaction. */
export function fixableRows(ctx: AppContext, query: FixableQuery): Promise<FixableRow[]> {
  const { kind, readerId = null, readerIds = null, isLocked = false } = query
  const values: SqlValues = {
    publicationId: query.publicationId,
    after: query.after,
    limit: query.limit,
    ...(readerId === null ? {} : { readerId }),
    ...(readerIds === null ? {} : { readerIds: [...readerIds] }),
    ...listDays(dayOf(ctx.now(), ctx.settings.timeZone)),
  }
  // A reader that is requested individually need not be in the list.
  const inList = readerId === null ? warningCondition(ctx.db, warningOf(fixKinds[kind].list)) : 'id = :readerId'
  const condition = readerIds === null ? inList : `${inList} AND id IN (:readerIds)`
  return ctx.db.query<FixableRow>(
    `SELECT ${selectList} FROM readers WHERE publication_id = :publicationId AND ${condition} AND id > :after
     ORDER BY id LIMIT :limit ${isLocked ? rowLock(ctx.db) : ''}`,
    values,
  )
}

/**
 * Identifies the readers of a fix's list and their versions: a different value later means that a reader was added, removed or changed. The database
 * computes it, however long the list is.
 */
export async function listFingerprint(
  ctx: AppContext,
  { publicationId, kind }: { publicationId: number; kind: FixKind },
): Promise<string> {
  const [row] = await ctx.db.query<Record<'count' | 'ids' | 'versions', number | string | null>>(
    `SELECT count(*) AS count, sum(id) AS ids, sum(version) AS versions FROM readers
     WHERE publication_id = :publicationId AND ${warningCondition(ctx.db, warningOf(fixKinds[kind].list))}`,
    { publicationId, ...listDays(dayOf(ctx.now(), ctx.settings.timeZone)) },
  )
  return `${row?.count}-${row?.ids}-${row?.versions}`
}
