import { z } from 'zod'
import { addressMark, markOwner, maySendAgain } from '../bounces/address-marks.rows.ts'
import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { addDays, startOfDay } from '../kernel/calendar.ts'
import { DayInput } from '../kernel/day-input.ts'
import { notFound } from '../kernel/errors.ts'
import { pageSizes, SearchText } from '../kernel/paging.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { readerFilter } from '../readers/reader-filter.rules.ts'
import { Readers } from '../readers/readers.rows.ts'
import type { RowOf } from '../table.ts'
import { useCase } from '../use-case.ts'
import { bodyOf } from './email-bodies.rows.ts'
import { type EmailState, Emails } from './emails.rows.ts'
import { emails } from './emails.ts'
import { ownEmail } from './own-email.ts'
import { findMail } from './send-mail.ts'

/** The email states that staff see, as they appear in a page address. */
export const mailStates = ['sent', 'waiting', 'bounced', 'refused', 'suppressed', 'failed', 'dropped'] as const
export type MailState = (typeof mailStates)[number]

/** The log shows `sending` as waiting too. */
const stateOf: Record<EmailState, MailState> = {
  sent: 'sent',
  waiting: 'waiting',
  sending: 'waiting',
  bounced: 'bounced',
  refused: 'refused',
  suppressed: 'suppressed',
  failed: 'failed',
  dropped: 'dropped',
}

/** An email as the log shows it. */
export interface LoggedMail {
  id: number
  /** When it was sent; before that, when it was first tried. */
  at: Date
  /** Its name in the table of emails, and its title for staff. */
  mail: string
  title: string
  subject: string
  to: string
  reader: { id: number; name: string } | null
  state: MailState
  /** The mail server's response, or why it was not sent. */
  answer: string
  tries: number
}

export interface MailLogPage {
  emails: LoggedMail[]
  /** The ids from which the pages before and after this one continue; null if there is none. */
  newer: number | null
  older: number | null
}

/** The emails that a publication's log can contain, with their titles for staff, in alphabetical order. */
export const loggedEmails: readonly { name: string; title: string }[] = Object.entries(emails)
  .filter(([, { isOfPublication }]) => isOfPublication)
  .map(([name]) => ({ name, title: mailTitle(name) }))
  .sort((a, b) => a.title.localeCompare(b.title))

/** The title of an email for staff; for an email of an older release, made from its name. */
export function mailTitle(name: string): string {
  const label = name.replaceAll('-', ' ')
  return findMail(name)?.custom?.title ?? label.charAt(0).toUpperCase() + label.slice(1)
}

const MailLogInput = z.object({
  publicationId: z.coerce.number('Required').int(),
  /** Only the emails of one reader: to the reader's record, and about the reader's account. */
  readerId: z.coerce.number('Must be the number of a reader').int().optional(),
  /** The beginning of the address, the subject, or the reader's name, company, postcode or reference; or the number of an order. */
  q: SearchText,
  mail: z
    .string()
    .refine((mail) => mail === '' || Object.hasOwn(emails, mail), 'There is no such email')
    .optional(),
  state: z.enum(['', ...mailStates], 'There is no such state').optional(),
  from: DayInput,
  to: DayInput,
  /** Only emails older than this one. */
  before: z.coerce.number().int().optional(),
  /** Only emails newer than this one. */
  after: z.coerce.number().int().optional(),
  size: z.coerce
    .number()
    .refine((size) => pageSizes.includes(size as (typeof pageSizes)[number]))
    .catch(25)
    .default(25),
})
type MailLogFilter = z.output<typeof MailLogInput>

/** A page of the emails that one of the acting publisher's publications sent, newest first. */
export const listMailLog = useCase({
  permission: 'mail:read',
  input: MailLogInput.refine(({ from, to }) => !from || !to || from <= to, {
    path: ['to'],
    message: 'Must not be before the first day',
  }),
  transaction: 'none',
  async run(ctx, input): Promise<MailLogPage> {
    await ownPublication(ctx, { id: input.publicationId })
    const isBackwards = input.after !== undefined
    const cursor = await cursorOf(ctx, input)
    const foundIds = await findEmails(ctx, input, { cursor, limit: input.size + 1 })
    const hasMore = foundIds.length > input.size
    const ids = foundIds.slice(0, input.size)
    if (isBackwards) ids.reverse()
    const first = ids[0] ?? null
    const last = ids.at(-1) ?? null
    return {
      emails: await readLoggedEmails(ctx, ids),
      newer: (isBackwards ? hasMore : cursor !== null) ? first : null,
      older: (isBackwards ? true : hasMore) ? last : null,
    }
  },
})

interface Cursor {
  sql: string
  order: string
  values: SqlValues
}

/** Where the list continues; null: from its beginning. Throws `notFound` where that row was deleted. */
async function cursorOf(ctx: AppContext, { publicationId, before, after }: MailLogFilter): Promise<Cursor | null> {
  const id = after ?? before
  if (id === undefined) return null
  const row = await Emails.find(ctx, { id, publicationId })
  if (!row) throw notFound('The email')
  const [sign, direction] = after === undefined ? ['<', 'DESC'] : ['>', 'ASC']
  return {
    sql: `AND (e.created_at, e.id) ${sign} (:cursorAt, :cursorId)`,
    order: `e.created_at ${direction}, e.id ${direction}`,
    values: { cursorAt: row.createdAt, cursorId: id },
  }
}

/** How many of the newest emails are scanned for the search text before its indexes are used. */
const maxScanned = 2000

/** The ids of a page in reading order, and one further id if there are more. */
async function findEmails(
  ctx: AppContext,
  input: MailLogFilter,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<number[]> {
  const { where, values: filterValues } = await conditions(ctx, input)
  const { order, sql, values: cursorValues } = cursor ?? { sql: '', order: 'e.created_at DESC, e.id DESC', values: {} }
  const values = { ...filterValues, ...cursorValues, limit }
  const read = async (query: string, more: SqlValues = {}) =>
    (await ctx.db.query<{ id: number }>(query, { ...values, ...more })).map(({ id }) => id)
  const all = `FROM emails e WHERE ${where} ${sql}`
  if (!input.q) return read(`SELECT e.id ${all} ORDER BY ${order} LIMIT :limit`)
  const { alternatives, values: searched } = await searchOf(ctx, input.publicationId, input.q)
  // A value that many emails share, such as the beginning of their subject, is among the newest; a rare one is found by its own index.
  const newest = `SELECT * ${all} ORDER BY ${order} LIMIT ${maxScanned}`
  const either = alternatives.map((alternative) => `(${alternative})`).join(' OR ')
  const foundIds = await read(`SELECT e.id FROM (${newest}) e WHERE ${either} ORDER BY ${order} LIMIT :limit`, searched)
  if (foundIds.length === limit) return foundIds
  const parts = alternatives.map((alternative) => `SELECT e.id, e.created_at ${all} AND ${alternative}`)
  return read(
    `WITH gathered AS MATERIALIZED (${parts.join(' UNION ')}) SELECT e.id FROM gathered e ORDER BY ${order} LIMIT :limit`,
    searched,
  )
}

/** The filters other than a search, as SQL over `emails e`. */
async function conditions(ctx: AppContext, input: MailLogFilter): Promise<{ where: string; values: SqlValues }> {
  const { publicationId, readerId, mail, state, from, to } = input
  const { timeZone } = ctx.settings
  const where = ['e.publication_id = :publicationId']
  const values: SqlValues = { publicationId }
  const add = (sql: string, parameters: SqlValues) => {
    where.push(sql)
    Object.assign(values, parameters)
  }
  if (readerId !== undefined) {
    const reader = await Readers.find(ctx, { id: readerId, publicationId })
    if (!reader) throw notFound('The reader')
    // -1 is the id of no account: null would match the emails of all readers without one.
    add('(e.reader_id = :readerId OR e.buyer_id = :buyerId)', { readerId, buyerId: reader.buyerId ?? -1 })
  }
  if (mail) add('e.template = :mail', { mail })
  if (state) {
    const states = (Object.keys(stateOf) as EmailState[]).filter((internalState) => stateOf[internalState] === state)
    // The second half is the condition of the partial index on the few emails that were not sent.
    add(`e.state IN (:states)${state === 'sent' ? '' : ` AND e.state <> 'sent'`}`, { states })
  }
  if (from) add('e.created_at >= :from', { from: startOfDay(from, timeZone) })
  if (to) add('e.created_at < :until', { until: startOfDay(addDays(to, 1), timeZone) })
  return { where: where.join(' AND '), values }
}

/** The maximum number of readers that a search considers. */
const maxReaders = 200

/** The search as alternatives over `emails e`, each with its own index. */
async function searchOf(
  ctx: AppContext,
  publicationId: number,
  q: string,
): Promise<{ alternatives: string[]; values: SqlValues }> {
  const typed = q.toLowerCase()
  const [readers, orderId] = await Promise.all([readersOf(ctx, publicationId, q), orderOf(ctx, publicationId, q)])
  const begins = (column: string) => `${column} >= :typed AND ${column} < :typedEnd`
  return {
    alternatives: [
      begins('e.key_address'),
      begins('e.key_subject'),
      ...(readers.length > 0 ? ['e.reader_id IN (:foundReaders)'] : []),
      ...(orderId === null ? [] : ['e.order_id = :foundOrder']),
    ],
    values: { typed, typedEnd: `${typed}\u{10FFFF}`, foundReaders: readers, foundOrder: orderId },
  }
}

/** Each key is searched by its own index. */
async function readersOf({ db }: AppContext, publicationId: number, q: string): Promise<number[]> {
  const filter = readerFilter(publicationId, { q })
  const ranges = filter?.conditions.flatMap(({ alternatives }) => alternatives) ?? []
  if (!filter || ranges.length === 0) return []
  const parts = ranges.map(
    (range) =>
      `SELECT id FROM (SELECT id FROM readers WHERE ${filter.publication} AND ${range} LIMIT ${maxReaders}) matches`,
  )
  const rows = await db.query<{ id: number }>(`${parts.join(' UNION ')} LIMIT ${maxReaders}`, filter.values)
  return rows.map(({ id }) => id)
}

/** The order with this number, typed with or without its "OD-". */
async function orderOf({ db }: AppContext, publicationId: number, q: string): Promise<number | null> {
  const number = /^(?:OD-?)?([A-Z0-9]{7})$/i.exec(q)?.[1]
  if (!number) return null
  const [order] = await db.query<{ id: number }>(
    `SELECT id FROM orders WHERE order_number = :number AND publication_id = :publicationId`,
    { number: `OD-${number.toUpperCase()}`, publicationId },
  )
  return order?.id ?? null
}

const columns = Emails.pick(
  'id',
  'template',
  'toAddress',
  'subject',
  'state',
  'attempts',
  'lastAnswer',
  'sentAt',
  'createdAt',
)

async function readLoggedEmails(ctx: AppContext, ids: readonly number[]): Promise<LoggedMail[]> {
  if (ids.length === 0) return []
  const rows = await columns.rows<{ reader: number | null; name: string | null }>(
    ctx,
    `SELECT ${columns.columns('e')}, r.id AS reader, COALESCE(NULLIF(TRIM(r.first_name || ' ' || r.last_name), ''),
       NULLIF(r.full_name, ''), NULLIF(r.company_name, ''), r.unique_reference) AS name
     FROM emails e LEFT JOIN readers r ON r.id = e.reader_id WHERE e.id IN (:ids)`,
    { ids },
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const { template, toAddress, subject, attempts, lastAnswer, sentAt, createdAt, reader, name } = row
    return {
      id,
      mail: template,
      title: mailTitle(template),
      subject,
      to: toAddress,
      tries: attempts,
      at: sentAt ?? createdAt,
      reader: reader === null ? null : { id: reader, name: name ?? '' },
      state: stateOf[row.state],
      answer: lastAnswer ?? '',
    }
  })
}

/** An email of the log, as it was sent. */
export interface SentMail extends LoggedMail {
  publicationId: number
  publicationName: string
  orderId: number | null
  /** As it was sent, with its links disabled; null if it was not stored, or has been deleted since. */
  body: { html: string; text: string } | null
  /** Why it cannot be sent again; null where it can. */
  cannotResend: string | null
  addressProblem: AddressProblem | null
}

/** Why an address gets no emails, or only notices: emails to it bounce, it reported one as spam, or it refused this one. */
type AddressProblem = 'bounces' | 'complained' | 'refused'

/** One email of the acting publisher's publications. */
export const getSentMail = useCase({
  permission: 'mail:read',
  input: z.object({ id: z.coerce.number('The email was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<SentMail> {
    const { row, publicationName } = await ownEmail(ctx, id)
    const [mail] = await readLoggedEmails(ctx, [id])
    if (!mail) throw notFound('The email')
    return {
      ...mail,
      publicationId: row.publicationId,
      publicationName,
      orderId: row.orderId,
      body: await bodyOf(ctx, id),
      cannotResend: findMail(row.template)?.cannotResend ?? null,
      addressProblem: await addressProblem(ctx, row),
    }
  },
})

/** Why no emails, or only notices, are sent to the address of a logged email; null if they are sent, or the address has been deleted. */
export async function addressProblem(
  ctx: AppContext,
  { toAddress: address, publicationId, state }: Pick<RowOf<typeof Emails>, 'toAddress' | 'publicationId' | 'state'>,
): Promise<AddressProblem | null> {
  if (address === '') return null
  const mark = await addressMark(ctx, { publisherId: await markOwner(ctx, publicationId), address })
  if (mark?.bouncedAt) return 'bounces'
  if (mark?.complainedAt) return 'complained'
  return state === 'refused' && !maySendAgain(mark) ? 'refused' : null
}
