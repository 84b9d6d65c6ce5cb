import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { userTypes } from '../access/user-types.ts'
import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { caselessSearch } from '../dialect.ts'
import { notFound } from '../kernel/errors.ts'
import { orderBy, type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { useCase } from '../use-case.ts'
import { ownUser, visibleUsers } from './own-user.ts'
import {
  type UserListItem,
  type UserListRow,
  UserState,
  userListColumns,
  userListItem,
  userListTables,
} from './user-list-row.ts'

const ListUsersInput = PageInput.extend({
  state: UserState.default('all'),
  userType: z.enum(userTypes, `Must be one of ${userTypes.join(', ')}`).optional(),
  /**
   * The publisher or reseller whose users are listed, if the actor manages it; others are not found. The actor's own id means all users that it
   * manages.
   */
  keyedTo: z.coerce.number().int().positive().optional(),
})

/** What a search in a list of users compares: name, email, company. */
export const searchedTexts = [`u.first_name || ' ' || u.last_name`, 'u.email_key', `COALESCE(a.company_name, '')`]
const sortColumns = { name: `LOWER(u.first_name || ' ' || u.last_name)`, email: 'u.email_key' }
/** What users can be sorted by. */
export const userSortNames = Object.keys(sortColumns)

/**
 * The users that the actor manages, by name unless sorted otherwise, a page at a time; `q` searches name, email and company. `all` is their number
 * without filters.
 */
export const listUsers = useCase({
  permission: 'user:read',
  input: ListUsersInput,
  transaction: 'none',
  async run(ctx, input): Promise<Page<UserListItem> & { all: number }> {
    const visible = visibleUsers(ctx)
    const conditions = [visible.sql]
    const values: SqlValues = { ...visible.values }
    const narrow = (sql: string, sqlValues: SqlValues) => {
      conditions.push(sql)
      Object.assign(values, sqlValues)
    }
    const holder = await holderOf(ctx, input.keyedTo)
    if (holder)
      narrow('(u.id = :ownerId OR u.parent_publisher_id = :ownerId OR u.reseller_id = :ownerId)', {
        ownerId: holder.id,
      })
    if (input.state !== 'all') narrow('u.is_active = :isActive', { isActive: input.state === 'active' })
    if (input.userType) narrow('u.user_type = :userType', { userType: input.userType })
    if (input.q) {
      const search = caselessSearch(ctx.db, input.q)
      narrow(`(${searchedTexts.map((text) => search.isIn(text, 'q')).join(' OR ')})`, { q: search.value })
    }
    const where = conditions.join(' AND ')
    const order = `${orderBy(input.sort, sortColumns, 'name')}, u.id`
    const [rows, counts] = await Promise.all([
      ctx.db.query<UserListRow>(
        // Only ids are sorted for all matching users; the other columns are read for those on the page.
        `SELECT ${userListColumns} FROM ${userListTables}
         WHERE u.id IN (SELECT u.id FROM ${userListTables} WHERE ${where} ORDER BY ${order} LIMIT :limit OFFSET :offset)
         ORDER BY ${order}`,
        { ...values, limit: input.size, offset: (input.page - 1) * input.size },
      ),
      ctx.db.query<{ shown: number; all_users: number }>(
        `SELECT COUNT(*) AS all_users, COALESCE(SUM(CASE WHEN ${where} THEN 1 ELSE 0 END), 0) AS shown
         FROM ${userListTables} WHERE ${visible.sql}`,
        values,
      ),
    ])
    const page = pageOf(
      rows.map((row) => userListItem(ctx.actor, row)),
      Number(counts[0]?.shown ?? 0),
      input,
    )
    return { ...page, all: Number(counts[0]?.all_users ?? 0) }
  },
})

/** The publisher or reseller whose users are listed; undefined: all that the actor manages. */
async function holderOf(ctx: AppContext, keyedTo: number | undefined): Promise<{ id: number } | undefined> {
  const { actor } = ctx
  if (keyedTo === undefined) return undefined
  if (actor.kind === 'staff' && [actor.userId, actingPublisherId(actor)].includes(keyedTo)) return undefined
  const holder = await ownUser(ctx, keyedTo)
  if (!['publisher', 'reseller'].includes(holder.userType)) throw notFound('The user')
  return holder
}
