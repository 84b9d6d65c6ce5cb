import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asBoolean, asNullableInstant, type SqlValues } from '../database.ts'
import { caselessSearch } from '../dialect.ts'
import { denied, notFound } from '../kernel/errors.ts'
import { orderBy, type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { useCase } from '../use-case.ts'
import { searchedTexts } from './list-users.query.ts'
import { ownUser } from './own-user.ts'
import { UserState } from './user-list-row.ts'

export interface PublisherListItem {
  id: number
  userType: 'publisher' | 'reseller'
  companyName: string
  firstName: string
  lastName: string
  resellerId: number | null
  email: string
  titles: number
  /** The titles that count against the allowance: all but the paused ones. */
  titlesUsed: number
  titlesAllowed: number
  readers: number
  staff: number
  /** How many subscriptions to its titles renew automatically; they are not charged while the publisher is deactivated. */
  renewing: number
  /** For a reseller: how many publishers it manages. */
  publishers: number
  /** The reseller who manages the publisher; empty if only superusers do. */
  resellerName: string
  lastLoginAt: Date | null
  invitedAt: Date | null
  hasPassword: boolean
  isActive: boolean
}

export const publisherTypes = ['publisher', 'reseller'] as const

/** What publishers can be sorted by. */
export const publisherSort = 'companyName'

const ListPublishersInput = PageInput.extend({
  state: UserState.default('all'),
  /** Superusers also see resellers; a reseller sees only its publishers. */
  userType: z.enum(publisherTypes, 'Must be publisher or reseller').optional(),
  /** The reseller whose publishers are listed, for superusers. The actor's own id means all that it manages; other users are not found. */
  keyedTo: z.coerce.number().int().positive().optional(),
})

interface Row {
  id: number
  user_type: 'publisher' | 'reseller'
  company_name: string | null
  first_name: string
  last_name: string
  email: string
  titles: number
  titles_used: number
  titles_allowed: number | null
  readers: number
  staff: number
  renewing: number
  publishers: number
  reseller_id: number | null
  reseller_name: string | null
  last_login_at: Date | string | null
  invited_at: Date | string | null
  has_password: unknown
  is_active: unknown
}

/** The publishers (and for a superuser the resellers) that the actor manages, sorted by company, with their counts, a page at a time. */
export const listPublishers = useCase({
  permission: 'publisher:list',
  input: ListPublishersInput,
  transaction: 'none',
  async run(ctx, input): Promise<Page<PublisherListItem> & { all: number }> {
    const { actor } = ctx
    if (actor.kind === 'buyer' || actor.kind === 'visitor') throw denied()
    const isReseller = actor.kind === 'staff' && actor.userType === 'reseller'
    const visible = isReseller
      ? `u.user_type = 'publisher' AND u.reseller_id = :resellerId`
      : `u.user_type IN ('publisher', 'reseller')`
    const conditions = [visible]
    const values: SqlValues = isReseller ? { resellerId: actor.userId } : {}
    if (input.userType) {
      conditions.push('u.user_type = :userType')
      values.userType = input.userType
    }
    const keyedTo = await resellerOf(ctx, input.keyedTo)
    if (keyedTo) {
      conditions.push('u.reseller_id = :keyedTo')
      values.keyedTo = keyedTo.id
    }
    if (input.state !== 'all') {
      conditions.push('u.is_active = :isActive')
      values.isActive = input.state === 'active'
    }
    if (input.q) {
      const search = caselessSearch(ctx.db, input.q)
      conditions.push(`(${searchedTexts.map((text) => search.isIn(text, 'q')).join(' OR ')})`)
      values.q = search.value
    }
    const where = conditions.join(' AND ')
    const tables = 'users u LEFT JOIN accounts a ON a.user_id = u.id'
    const inOrder = (table: string) =>
      orderBy(input.sort, { [publisherSort]: `LOWER(COALESCE(${table}.company_name, ''))` }, publisherSort)
    const [rows, counts] = await Promise.all([
      // The page is selected first, so that counts are only made for the publishers on it.
      ctx.db.query<Row>(
        `SELECT page.*, ra.company_name AS reseller_name,
                (SELECT COUNT(*) FROM publications p WHERE p.publisher_id = page.id AND p.removed_at IS NULL AND NOT p.is_example) AS titles,
                (SELECT COUNT(*) FROM publications p WHERE p.publisher_id = page.id AND p.removed_at IS NULL AND p.paused_at IS NULL
                 AND NOT p.is_example) AS titles_used,
                (SELECT COUNT(*) FROM publications p JOIN readers r ON r.publication_id = p.id
                 WHERE p.publisher_id = page.id AND p.removed_at IS NULL AND NOT p.is_example) AS readers,
                (SELECT COUNT(*) FROM users s WHERE s.parent_publisher_id = page.id) AS staff,
                (SELECT COUNT(*) FROM publications p JOIN payment_agreements g ON g.publication_id = p.id AND g.state = 'active'
                 WHERE p.publisher_id = page.id AND p.removed_at IS NULL) AS renewing,
                (SELECT COUNT(*) FROM users s WHERE s.reseller_id = page.id) AS publishers
         FROM (SELECT u.id, u.user_type, u.first_name, u.last_name, u.email, u.reseller_id, u.last_login_at, u.invited_at, u.is_active,
                      CASE WHEN u.password_hash IS NULL THEN 0 ELSE 1 END AS has_password, a.company_name,
                      a.number_of_publications AS titles_allowed
               FROM ${tables} WHERE ${where}
               ORDER BY ${inOrder('a')}, u.id LIMIT :limit OFFSET :offset) page
         LEFT JOIN accounts ra ON ra.user_id = page.reseller_id
         ORDER BY ${inOrder('page')}, page.id`,
        { ...values, limit: input.size, offset: (input.page - 1) * input.size },
      ),
      ctx.db.query<{ shown: number; all_publishers: number }>(
        `SELECT COUNT(*) AS all_publishers, COALESCE(SUM(CASE WHEN ${where} THEN 1 ELSE 0 END), 0) AS shown FROM ${tables} WHERE ${visible}`,
        values,
      ),
    ])
    return {
      ...pageOf(rows.map(publisherListItem), Number(counts[0]?.shown ?? 0), input),
      all: Number(counts[0]?.all_publishers ?? 0),
    }
  },
})

/** The reseller whose publishers are listed; undefined: all that the actor manages. */
async function resellerOf(ctx: AppContext, keyedTo: number | undefined): Promise<{ id: number } | undefined> {
  if (keyedTo === undefined || (ctx.actor.kind === 'staff' && ctx.actor.userId === keyedTo)) return undefined
  const reseller = await ownUser(ctx, keyedTo)
  if (reseller.userType !== 'reseller') throw notFound('The user')
  return reseller
}

function publisherListItem(row: Row): PublisherListItem {
  return {
    id: row.id,
    userType: row.user_type,
    companyName: row.company_name ?? '',
    firstName: row.first_name,
    lastName: row.last_name,
    resellerId: row.reseller_id,
    email: row.email,
    titles: Number(row.titles),
    titlesUsed: Number(row.titles_used),
    titlesAllowed: row.titles_allowed ?? 0,
    readers: Number(row.readers),
    staff: Number(row.staff),
    renewing: Number(row.renewing),
    publishers: Number(row.publishers),
    resellerName: row.reseller_name ?? '',
    lastLoginAt: asNullableInstant(row.last_login_at),
    invitedAt: asNullableInstant(row.invited_at),
    hasPassword: asBoolean(row.has_password),
    isActive: asBoolean(row.is_active),
  }
}
