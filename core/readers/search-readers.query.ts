import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asBoolean, likeText, type SqlValues } from '../database.ts'
import { type Day, dayOf } from '../kernel/dates.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { emailKey, postCodeKey, textKey } from './reader-keys.rules.ts'
import { type SubType, type TermState, termState } from './term-dates.rules.ts'

/** A reader as one row of a list. */
export interface ReaderListItem {
  id: number
  uniqueReference: string
  title: string
  firstName: string
  lastName: string
  fullName: string
  companyName: string
  email: string
  postCode: string
  country: string
  subType: SubType | ''
  subStartOn: Day
  subEndOn: Day
  /** Where the subscription stands today. */
  term: TermState
  isDeleted: boolean
}

const searched = z.string().trim().max(200, 'Must be 200 characters or fewer').optional()

/** Full names often begin with one of these, which nobody types when looking for a person. */
const honorifics = [
  '',
  'mr ',
  'mrs ',
  'miss ',
  'ms ',
  'mx ',
  'dr ',
  'prof ',
  'professor ',
  'sir ',
  'lady ',
  'lord ',
  'dame ',
  'rev ',
  'revd ',
]

/** What is searched by, each with the indexed key that holds it and how what was typed becomes such a key. */
const fields = {
  lastName: { column: 'key_surname', key: textKey },
  email: { column: 'key_email', key: emailKey },
  companyName: { column: 'key_company', key: textKey },
  fullName: { column: 'key_name', key: textKey },
  postZip: { column: 'key_post_code', key: postCodeKey },
} as const

/** What a list is sorted by: `sort=name`, or `sort=-name`. Every one has an index, so a page of a million is found at once. */
const readerSorts = {
  name: 'key_name',
  surname: 'key_surname',
  companyName: 'key_company',
  postCode: 'key_post_code',
  email: 'key_email',
  reference: 'unique_reference',
  ends: 'sub_end_on',
  added: 'id',
} as const
const neverBlank: readonly string[] = ['unique_reference', 'sub_end_on', 'id']

/**
 * A page of a publication's readers. The fields must all fit and `q` fits any one of them; each is compared from its beginning, without
 * regard to case, accents and punctuation. Readers without what is sorted by stand last.
 */
export const searchReaders = useCase({
  permission: 'reader:read',
  input: PageInput.extend({
    publicationId: z.coerce.number('Required').int(),
    lastName: searched,
    email: searched,
    companyName: searched,
    fullName: searched,
    uniqueReference: searched,
    postZip: searched,
  }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<ReaderListItem>> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const filter = filterOf(ctx, publicationId, input)
    if (!filter) return pageOf<ReaderListItem>([], 0, input)
    const [[count], ids] = await Promise.all([
      ctx.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM readers WHERE ${filter.where}`, filter.values),
      pageOfIds(ctx, filter, sortOf(input.sort), { limit: input.size, offset: (input.page - 1) * input.size }),
    ])
    return pageOf(await listItems(ctx, ids), Number(count?.n ?? 0), input)
  },
})

interface Filter {
  where: string
  values: SqlValues
  /** No condition but the publication: the whole list is walked along an index. */
  isWhole: boolean
}

/** Null when something was asked for that no key can begin with (a surname of dots): nobody fits. */
function filterOf(
  ctx: AppContext,
  publicationId: number,
  asked: { q?: string | undefined; uniqueReference?: string | undefined } & Partial<
    Record<keyof typeof fields, string | undefined>
  >,
): Filter | null {
  const conditions: string[] = []
  const values: SqlValues = { publicationId }
  // A range of texts is found along an index on both engines; PostgreSQL's order may ignore signs, so LIKE has the last word there.
  const begins = (column: string, key: string): string => {
    const name = `v${Object.keys(values).length}`
    Object.assign(values, { [name]: key, [`${name}End`]: `${key}\u{10FFFF}` })
    const range = `${column} >= :${name} AND ${column} < :${name}End`
    if (ctx.db.dialect === 'sqlite') return `(${range})`
    values[`${name}Like`] = `${likeText(key)}%`
    return `(${range} AND ${column} LIKE :${name}Like ESCAPE '!')`
  }
  // The indexes leave blank keys out: each alternative says so by itself, or they would not be used.
  const keyed = (column: string, key: string) => {
    const starts = column === 'key_name' ? honorifics.map((honorific) => honorific + key) : [key]
    return `(${starts.map((start) => `(${column} <> '' AND ${begins(column, start)})`).join(' OR ')})`
  }
  // References are kept as they were given; most are in capitals.
  const reference = (text: string) =>
    `(${begins('unique_reference', text)} OR ${begins('unique_reference', text.toUpperCase())})`

  for (const [field, { column, key }] of Object.entries(fields)) {
    const text = asked[field as keyof typeof fields]
    if (!text) continue
    if (key(text) === '') return null
    conditions.push(keyed(column, key(text)))
  }
  if (asked.uniqueReference) conditions.push(reference(asked.uniqueReference))
  if (asked.q) {
    const { q } = asked
    const matches = Object.values(fields).flatMap(({ column, key }) => (key(q) === '' ? [] : [keyed(column, key(q))]))
    conditions.push(`(${[...matches, reference(q)].join(' OR ')})`)
  }
  return {
    where: ['publication_id = :publicationId', ...conditions].join(' AND '),
    values,
    isWhole: conditions.length === 0,
  }
}

interface Sort {
  column: string
  direction: 'ASC' | 'DESC'
}

function sortOf(sort: string | undefined): Sort {
  const key = (sort ?? '').replace(/^-/, '')
  const isKnown = Object.hasOwn(readerSorts, key)
  return {
    column: isKnown ? readerSorts[key as keyof typeof readerSorts] : readerSorts.surname,
    direction: isKnown && sort?.startsWith('-') ? 'DESC' : 'ASC',
  }
}

async function pageOfIds(
  ctx: AppContext,
  { where, values, isWhole }: Filter,
  sort: Sort,
  page: { limit: number; offset: number },
): Promise<number[]> {
  const { column, direction } = sort
  const read = async (condition: string, order: string, { limit, offset }: typeof page) => {
    const rows = await ctx.db.query<{ id: number }>(
      `SELECT id FROM readers WHERE ${where} ${condition} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
      { ...values, limit, offset },
    )
    return rows.map(({ id }) => id)
  }
  const byColumn = column === 'id' ? `id ${direction}` : `${column} ${direction}, id ${direction}`
  if (neverBlank.includes(column)) return read('', byColumn, page)
  if (!isWhole) return read('', `CASE WHEN ${column} = '' THEN 1 ELSE 0 END, ${byColumn}`, page)
  // A whole publication: first along the index, which leaves blank keys out, then the blank ones.
  const named = await read(`AND ${column} <> ''`, byColumn, page)
  if (named.length === page.limit) return named
  const [count] = await ctx.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM readers WHERE ${where} AND ${column} <> ''`,
    values,
  )
  const offset = Math.max(0, page.offset - Number(count?.n ?? 0))
  return [...named, ...(await read(`AND ${column} = ''`, 'id', { limit: page.limit - named.length, offset }))]
}

async function listItems(ctx: AppContext, ids: number[]): Promise<ReaderListItem[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db.query<Record<string, unknown> & { id: number }>(
    `SELECT id, unique_reference, title, first_name, last_name, full_name, company_name, email, post_code, country, sub_type,
            sub_start_on, sub_end_on, is_deleted
     FROM readers WHERE id IN (:ids)`,
    { ids },
  )
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [listItem(row, today)] : []
  })
}

function listItem(row: Record<string, unknown> & { id: number }, today: Day): ReaderListItem {
  const text = (column: string) => String(row[column] ?? '')
  const subscription = {
    subType: text('sub_type') as SubType | '',
    subStartOn: text('sub_start_on'),
    subEndOn: text('sub_end_on'),
  }
  return {
    id: row.id,
    uniqueReference: text('unique_reference'),
    title: text('title'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    fullName: text('full_name'),
    companyName: text('company_name'),
    email: text('email'),
    postCode: text('post_code'),
    country: text('country'),
    ...subscription,
    term: termState(subscription, today),
    isDeleted: asBoolean(row.is_deleted),
  }
}
