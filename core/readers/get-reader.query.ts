import { z } from 'zod'
import { asBoolean, asInstant } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { Currency, Money } from '../kernel/money.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { type SubType, type TermState, termState } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import {
  type QuestionLetter,
  questionLetters,
  type ReaderField,
  type ReaderFieldValues,
} from './reader-fields.rules.ts'
import { storedFields } from './reader-record.ts'
import { remindersStoppedAt } from './reminder-stops.rows.ts'

/** A reader's whole record, for its page. */
export interface ReaderView extends Pick<ReaderFieldValues, ReaderField> {
  id: number
  publicationId: number
  publicationName: string
  /** Incremented by every change: an edit sends back the version it was based on. */
  version: number
  origin: 'file' | 'storefront' | 'staff'
  isDeleted: boolean
  subscription: { type: SubType | ''; startOn: Day; endOn: Day; renewOn: Day; paid: Money | null; state: TermState }
  /** The next automatic charge and its day; null if the subscription does not renew automatically. */
  renewal: { on: Day; price: Money } | null
  /** When reminders of the subscription's end were stopped; null while they are sent. */
  remindersStoppedAt: Date | null
  /** The publication's current questions with their answers, and former questions that were answered. */
  answers: { letter: QuestionLetter; question: string; answer: string }[]
  /** History from an imported file, before this product recorded its own. */
  importedHistory: string
  history: ReaderHistoryEntry[]
  orders: { id: number; orderNumber: string; orderedOn: Day; productName: string; money: Money; paymentType: string }[]
  createdAt: Date
  updatedAt: Date
  modifiedBy: string | null
}

interface ReaderHistoryEntry {
  id: number
  at: Date
  kind: string
  subType: string | null
  startOn: Day | null
  endOn: Day | null
  paid: Money | null
  note: string
  /** Who did it, as displayed; null if unknown. */
  by: string | null
}

type Row = Record<string, unknown> & { id: number; publication_id: number }

/** One reader of the acting publisher with subscription, history (newest first) and orders; another publisher's is not found. */
export const getReader = useCase({
  permission: 'reader:read',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<ReaderView> {
    const { publisherId } = tenantOf(ctx)
    const [row] = await ctx.db.query<Row>(
      `SELECT r.*, p.publication_name, p.question_a, p.question_b, p.question_c, p.question_d, p.question_e,
              u.first_name AS editor_first, u.last_name AS editor_last
       FROM readers r JOIN publications p ON p.id = r.publication_id LEFT JOIN users u ON u.id = r.modified_by
       WHERE r.id = :id AND p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
      { id, publisherId: publisherId ?? null },
    )
    if (!row) throw notFound('The reader')
    const [events, orders, [agreement], stoppedAt] = await Promise.all([
      ctx.db.query<Row>(
        `SELECT e.*, u.first_name AS actor_first, u.last_name AS actor_last
         FROM reader_events e LEFT JOIN users u ON e.actor_kind = 'staff' AND u.id = e.actor_id
         WHERE e.reader_id = :id ORDER BY e.id DESC LIMIT 200`,
        { id },
      ),
      ctx.db.query<Row>(
        `SELECT id, order_number, ordered_on, product_name, amount, currency, payment_type FROM orders
         WHERE reader_id = :id AND publication_id = :publicationId AND state IN ('paid', 'refunded') ORDER BY ordered_on DESC, id DESC LIMIT 200`,
        { id, publicationId: row.publication_id },
      ),
      ctx.db.query<{ renews_on: Day; price: number; currency: Currency }>(
        `SELECT renews_on, price, currency FROM payment_agreements WHERE reader_id = :id AND state = 'active'`,
        { id },
      ),
      remindersStoppedAt(ctx, { readerId: id, publicationId: row.publication_id as number }),
    ])
    return {
      ...readerView(row, dayOf(ctx.now(), ctx.settings.timeZone)),
      renewal: agreement
        ? { on: agreement.renews_on, price: { amount: agreement.price, currency: agreement.currency } }
        : null,
      remindersStoppedAt: stoppedAt,
      history: events.map(historyEntry),
      orders: orders.map((order) => ({
        id: order.id,
        orderNumber: String(order.order_number),
        orderedOn: String(order.ordered_on),
        productName: String(order.product_name),
        money: { amount: Number(order.amount), currency: order.currency as Currency },
        paymentType: String(order.payment_type),
      })),
    }
  },
})

function readerView(row: Row, today: Day): Omit<ReaderView, 'history' | 'orders' | 'renewal' | 'remindersStoppedAt'> {
  const text = (column: string) => String(row[column] ?? '')
  const { history: importedHistory, ...fields } = storedFields(row)
  const { subPaid } = fields
  return {
    ...fields,
    id: row.id,
    publicationId: row.publication_id,
    publicationName: text('publication_name'),
    version: Number(row.version),
    origin: text('origin') as ReaderView['origin'],
    isDeleted: asBoolean(row.is_deleted),
    subscription: {
      type: fields.subType,
      startOn: fields.subStartOn,
      endOn: fields.subEndOn,
      renewOn: fields.subRenewOn,
      paid: subPaid === null ? null : { amount: subPaid, currency: row.sub_currency as Currency },
      state: termState(fields, today),
    },
    answers: questionLetters
      .map((letter) => ({
        letter,
        question: text(`question_${letter.toLowerCase()}`),
        answer: fields[`answer${letter}`],
      }))
      .filter(({ question, answer }) => question !== '' || answer !== ''),
    importedHistory,
    createdAt: asInstant(row.created_at as string),
    updatedAt: asInstant(row.updated_at as string),
    modifiedBy: `${text('editor_first')} ${text('editor_last')}`.trim() || null,
  }
}

function historyEntry(row: Row): ReaderHistoryEntry {
  return {
    id: row.id,
    at: asInstant(row.created_at as string),
    kind: String(row.kind),
    subType: (row.sub_type as string | null) || null,
    startOn: (row.start_on as Day | null) ?? null,
    endOn: (row.end_on as Day | null) ?? null,
    paid: row.amount === null ? null : { amount: Number(row.amount), currency: (row.currency ?? 'GBP') as Currency },
    note: String(row.note ?? ''),
    by: actorName(row),
  }
}

const actorLabels: Record<string, string> = { buyer: 'the reader', operator: 'the command line', api: 'a program' }

function actorName(row: Row): string | null {
  const name = `${row.actor_first ?? ''} ${row.actor_last ?? ''}`.trim()
  return name || (actorLabels[String(row.actor_kind)] ?? null)
}
