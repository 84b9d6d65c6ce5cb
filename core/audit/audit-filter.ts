import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { caselessSearch } from '../dialect.ts'
import { addDays, startOfDay } from '../kernel/calendar.ts'
import { parseDay } from '../kernel/dates.ts'
import { SearchText } from '../kernel/paging.ts'
import { auditActions } from './audit-actions.ts'
import { authenticatingActions, nameless } from './audit-texts.rules.ts'

const AuditDay = z
  .string()
  .trim()
  .transform((text, context) => {
    if (text === '') return undefined
    const day = parseDay(text)
    if (day === null) context.addIssue({ code: 'custom', message: 'Write the date as DD/MM/YYYY' })
    return day ?? z.NEVER
  })
  .optional()

/** The filters of the audit log. The last day is included in full. */
export const auditFilterFields = {
  action: z
    .string()
    .refine((action) => action === '' || Object.hasOwn(auditActions, action), 'There is no such action')
    .optional(),
  /** The actions of this user, and the log-ins to their account. */
  userId: z.coerce.number().int().optional().catch(undefined),
  /** Part of the actor's name or email; ignored if `userId` is given. */
  q: SearchText,
  from: AuditDay,
  to: AuditDay,
  subjectType: z.string().max(40).optional().catch(undefined),
  /** For users who see more than one publisher. */
  publisherId: z.coerce.number().int().optional().catch(undefined),
}

const AuditFilter = z.object(auditFilterFields)
export type AuditFilter = z.output<typeof AuditFilter>

export function daysAreInOrder({ from, to }: Pick<AuditFilter, 'from' | 'to'>): boolean {
  return from === undefined || to === undefined || from <= to
}
export const dayOrderProblem = { path: ['to'], message: 'Must not be before the first day' }

/** Whether the actor sees the rows of more than one publisher. */
export function seesEveryPublisher({ actor }: Pick<AppContext, 'actor'>): boolean {
  return actor.kind !== 'staff' || actor.userType === 'superuser'
}

/** The rows of `audit_log a` that the actor may see and the filter matches, as SQL with its values. */
export async function auditFilter(
  ctx: Pick<AppContext, 'actor' | 'settings' | 'db'>,
  filter: AuditFilter,
): Promise<{ where: string; values: SqlValues }> {
  const { actor, settings } = ctx
  const conditions: string[] = []
  const values: SqlValues = {}
  const add = (sql: string, parameters: SqlValues) => {
    conditions.push(sql)
    Object.assign(values, parameters)
  }
  if (!seesEveryPublisher(ctx)) {
    add('a.publisher_id = :ownPublisherId', {
      ownPublisherId: actor.kind === 'staff' ? (actor.publisherId ?? -1) : -1,
    })
  } else if (filter.publisherId !== undefined) {
    add('a.publisher_id = :publisherId', { publisherId: filter.publisherId })
  }
  if (filter.action) add('a.action = :action', { action: filter.action })
  if (filter.subjectType) add('a.subject_type = :subjectType', { subjectType: filter.subjectType })
  if (filter.userId !== undefined)
    add(actedAs(':actorIds'), { actorIds: [filter.userId], authenticating: authenticatingActions })
  else if (filter.q) {
    const { sql, values: actorValues } = await actedBy(ctx, filter.q)
    add(sql, actorValues)
  }
  if (filter.from) add('a.happened_at >= :from', { from: startOfDay(filter.from, settings.timeZone) })
  if (filter.to) add('a.happened_at < :until', { until: startOfDay(addDays(filter.to, 1), settings.timeZone) })
  return { where: conditions.length > 0 ? conditions.join(' AND ') : '1 = 1', values }
}

/** SQL: true for the actions of these people, as ids. A log-in is an action of a visitor, on the user that the visitor becomes. */
const actedAs = (people: string) => `((a.actor_kind = 'staff' AND a.actor_id IN (${people}))
  OR (a.actor_kind = 'visitor' AND a.subject_type = 'user' AND a.subject_id IN (${people}) AND a.action IN (:authenticating)))`

/** The maximum number of people whose ids are passed; beyond it the database looks them up itself. */
const maxPeople = 1000

/**
 * The condition for the typed name or email of the actor. Users are looked up first: if none matches, the log is not searched at all. They
 * may belong to any publisher: a separate condition limits the log to the rows that the caller may see.
 */
async function actedBy({ db }: Pick<AppContext, 'db'>, q: string): Promise<{ sql: string; values: SqlValues }> {
  const typed = q.toLowerCase()
  const parameters: SqlValues = {}
  const nameConditions = typed.split(/\s+/).map((word, index) => {
    const search = caselessSearch(db, word)
    parameters[`q${index}`] = search.value
    return search.isIn(`u.first_name || ' ' || u.last_name || ' ' || u.email`, `q${index}`)
  })
  const matchingUsers = `SELECT u.id FROM users u WHERE ${nameConditions.join(' AND ')}`
  const people = await db.query<{ id: number }>(`${matchingUsers} LIMIT :max`, { ...parameters, max: maxPeople + 1 })
  const hasTooMany = people.length > maxPeople
  const kinds = Object.entries(nameless).flatMap(([kind, name]) => (name.toLowerCase().includes(typed) ? [kind] : []))
  const actorConditions = [
    ...(people.length > 0 ? [actedAs(hasTooMany ? matchingUsers : ':actorIds')] : []),
    ...(kinds.length > 0 ? ['a.actor_kind IN (:kinds)'] : []),
  ]
  return {
    sql: actorConditions.length > 0 ? `(${actorConditions.join(' OR ')})` : '1 = 0',
    values: {
      ...(hasTooMany ? parameters : { actorIds: people.map(({ id }) => id) }),
      authenticating: authenticatingActions,
      kinds,
    },
  }
}
