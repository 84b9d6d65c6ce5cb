import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { type SubType, type TermState, termState } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { readerFilter } from './reader-filter.rules.ts'
import { countMatches, pageOfIds, readerSort } from './reader-pages.query.ts'

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
  /** The state of the subscription today. */
  term: TermState
  isDeleted: boolean
  /** Mail to its email bounces, so nothing is sent there. */
  emailBounces: boolean
}

/** The readers of one chunk of `matchingReaders`. */
const chunkSize = 500

const searchText = z.string().trim().max(200, 'Must be 200 characters or fewer').optional()

const searchFields = {
  publicationId: z.coerce.number('Required').int(),
  lastName: searchText,
  email: searchText,
  companyName: searchText,
  fullName: searchText,
  uniqueReference: searchText,
  postZip: searchText,
}

/**
 * A page of a publication's readers. All fields must match and `q` any one of them; each matches by prefix, without
 * regard to case, accents and punctuation. Readers with a blank sort key come last.
 */
export const searchReaders = useCase({
  permission: 'reader:read',
  input: PageInput.extend(searchFields),
  transaction: 'none',
  async run(ctx, input): Promise<Page<ReaderListItem>> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const filter = readerFilter(publicationId, input)
    if (!filter) return pageOf<ReaderListItem>([], 0, input)
    const [total, ids] = await Promise.all([
      countMatches(ctx, publicationId, filter),
      pageOfIds(ctx, filter, readerSort(input), { limit: input.size, offset: (input.page - 1) * input.size }),
    ])
    return pageOf(await readerListItems(ctx, ids), total, input)
  },
})

/**
 * All readers that `searchReaders` finds, in the same order and in chunks, for scripts. Their ids are read at once: pages would each count and
 * skip the earlier ones, and repeat or omit readers when others are added or removed meanwhile.
 */
export const matchingReaders = useCase({
  permission: 'reader:read',
  input: z.object(searchFields),
  transaction: 'none',
  async run(ctx, input): Promise<{ total: number; chunks: AsyncIterable<ReaderListItem[]> }> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const filter = readerFilter(publicationId, input)
    const everything = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }
    const ids = filter ? await pageOfIds(ctx, filter, readerSort(input), everything) : []
    return { total: ids.length, chunks: chunksOf(ctx, ids) }
  },
})

async function* chunksOf(ctx: AppContext, ids: readonly number[]): AsyncGenerator<ReaderListItem[]> {
  for (let from = 0; from < ids.length; from += chunkSize)
    yield await readerListItems(ctx, ids.slice(from, from + chunkSize))
}

/** Readers as rows of a list, in the order of their ids. */
export async function readerListItems(ctx: AppContext, ids: number[]): Promise<ReaderListItem[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db.query<Record<string, unknown> & { id: number }>(
    `SELECT id, unique_reference, title, first_name, last_name, full_name, company_name, email, post_code, country, sub_type,
            sub_start_on, sub_end_on, is_deleted,
            (key_email <> '' AND EXISTS (SELECT 1 FROM address_marks m JOIN publications p ON p.publisher_id = m.publisher_id
               WHERE p.id = readers.publication_id AND m.address_key = readers.key_email AND m.bounced_at IS NOT NULL)) AS email_bounces
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
    emailBounces: asBoolean(row.email_bounces),
  }
}
