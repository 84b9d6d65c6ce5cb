import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { byteOrderMark, csvText } from '../kernel/csv-text.ts'
import type { Day } from '../kernel/dates.ts'
import { invalid } from '../kernel/errors.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { entryKinds } from './entry-kinds.rules.ts'
import { type Journal, type JournalAmounts, journalAccountNames, journalOf } from './journal.rules.ts'
import { accountCodes } from './journal-accounts.rows.ts'
import { journalFileName, journalFiles, journalLayoutNames, missingCodes } from './journal-layouts.rules.ts'
import { closesInForce } from './ledger-closes.rows.ts'
import type { LedgerProduct } from './ledger-products.rules.ts'
import { firstDayOf, lastDayOf, type Month, MonthFilter, monthOf } from './months.rules.ts'
import { payoutJournals } from './payout-journals.ts'
import { scheduleRows } from './schedule.query.ts'

export interface JournalExport {
  month: Month
  /** The month is not over: what is entered later in it is missing here. */
  isRunning: boolean
  /** If the month is closed, its figures are the frozen ones. */
  closed: { on: Day; by: string } | null
  journals: Journal[]
  files: { fileName: string; text: string }[]
}

/**
 * The journals of a month of the acting publisher, one per title and currency and one per provider that paid out, as files that accounting software
 * imports.
 */
export const makeJournal = useCase({
  permission: 'ledger:journal',
  input: z.object({ month: MonthFilter, layout: z.enum(journalLayoutNames).default('plain') }),
  async run(ctx, { month, layout }): Promise<JournalExport> {
    const publisherId = requirePublisherId(ctx)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    if (month === undefined) throw invalid({ month: 'Enter a month such as 2026-03' })
    if (firstDayOf(month) > today) throw invalid({ month: 'This month has not begun. Choose an earlier month.' })
    const journals = [
      ...(await journalsOf(ctx, { publisherId, month, today })),
      ...(await payoutJournals(ctx, { publisherId, month })),
    ]
    const close = (await closesInForce(ctx, publisherId)).get(month)
    const codes = await accountCodes(ctx, publisherId)
    const missing = missingCodes(layout, journals, codes)
    if (missing.length > 0)
      throw invalid({
        layout: `Set the account codes of ${missing.map((account) => journalAccountNames[account]).join(', ')} first`,
      })
    await recordAudit(
      ctx,
      'export-journal',
      { type: 'sales-ledger', id: null, publisherId },
      { month, layout, journals: journals.length },
    )
    return {
      month,
      isRunning: month === monthOf(today),
      closed: close ? { on: dayOf(close.closedAt, ctx.settings.timeZone), by: close.closedBy } : null,
      journals,
      files: journalFiles(layout, journals, codes).map((file) => ({
        fileName: journalFileName(month, file, layout),
        text: (file.hasByteOrderMark ? byteOrderMark : '') + csvText(file.rows),
      })),
    }
  },
})

async function journalsOf(
  ctx: Pick<AppContext, 'db' | 'actor' | 'settings'>,
  { publisherId, month, today }: { publisherId: number; month: Month; today: Day },
): Promise<Journal[]> {
  const movements = await movementsIn(ctx, { publisherId, month, today })
  const paidByCredit = await paidByCreditIn(ctx, { publisherId, month, today })
  const schedule = await scheduleRows(ctx, { months: [month], asOf: today })
  const groups = new Map<string, JournalAmounts>()
  const groupOf = (row: Pick<JournalAmounts, 'currency' | 'publicationId' | 'publicationName'>) => {
    const { currency, publicationId, publicationName } = row
    const key = `${currency} ${publicationName.toLowerCase()} ${publicationId}`
    const group = groups.get(key) ?? {
      month,
      currency,
      publicationId,
      publicationName,
      movements: [],
      paidByCredit: 0,
      takenOver: [],
      earned: [],
    }
    groups.set(key, group)
    return group
  }
  for (const row of movements) groupOf(row).movements.push(row)
  for (const row of paidByCredit) groupOf(row).paidByCredit += Number(row.amount)
  for (const row of schedule) {
    const group = groupOf(row)
    if (row.product !== null && row.product !== 'postage')
      group.takenOver.push({ product: row.product, amount: row.takenOver })
    // What counts as income immediately (such as a refund of an earned part) is posted with its own movement.
    const immediateIncome = group.movements
      .filter(({ product, isDeferred, part }) => product === row.product && !isDeferred && part !== 'cost')
      .reduce((sum, { part, amount, vat }) => sum + (part === 'sold' ? amount - vat : vat - amount), 0)
    group.earned.push({ product: row.product, amount: row.earned - immediateIncome })
  }
  return [...groups.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, group]) => journalOf(group) ?? [])
}

/** The amounts of invoices that were paid from credit in a month, by the title of the invoice. */
function paidByCreditIn(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, month, today }: { publisherId: number; month: Month; today: Day },
): Promise<(Pick<JournalAmounts, 'currency' | 'publicationId' | 'publicationName'> & { amount: number })[]> {
  return ctx.db.query(
    `SELECT o.currency, o.publication_id AS "publicationId", p.publication_name AS "publicationName", SUM(u.amount) AS amount
     FROM credit_uses u JOIN orders o ON o.id = u.order_id JOIN publications p ON p.id = o.publication_id
     WHERE u.publisher_id = :publisherId AND u.entered_on >= :from AND u.entered_on <= :until AND u.invoice_payment_id IS NOT NULL
     GROUP BY o.currency, o.publication_id, p.publication_name`,
    { publisherId, ...daysUntil(month, today) },
  )
}

/** The days of a month until today. */
function daysUntil(month: Month, today: Day): { from: Day; until: Day } {
  const until = lastDayOf(month)
  return { from: firstDayOf(month), until: until < today ? until : today }
}

type Movement = JournalAmounts['movements'][number] &
  Pick<JournalAmounts, 'currency' | 'publicationId' | 'publicationName'>

/** The amounts entered in a month, by payment method. */
async function movementsIn(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, month, today }: { publisherId: number; month: Month; today: Day },
): Promise<Movement[]> {
  const part = `CASE ${Object.entries(entryKinds)
    .map(([kind, counts]) => `WHEN l.kind = '${kind}' THEN '${counts}'`)
    .join(' ')} END`
  const provider = `CASE WHEN l.kind IN ('credit', 'credit-used') THEN 'credit' ELSE y.provider END`
  const isDeferredSql = 'CASE WHEN l.term_months >= 1 AND l.service_start_on IS NOT NULL THEN 1 ELSE 0 END'
  const postageVat = 'CASE WHEN l.postage = 0 THEN 0 ELSE COALESCE(l.vat, 0) * l.postage / l.amount END'
  const rows = await ctx.db.query<
    Omit<Movement, 'isDeferred'> & { deferred: number; postage: number; postageVat: number }
  >(
    `SELECT l.currency, l.publication_id AS "publicationId", p.publication_name AS "publicationName", l.product,
            ${provider} AS provider, ${part} AS part, ${isDeferredSql} AS deferred, SUM(l.amount) AS amount,
            COALESCE(SUM(l.vat), 0) AS vat, SUM(l.postage) AS postage, SUM(${postageVat}) AS "postageVat"
     FROM ledger_entries l JOIN publications p ON p.id = l.publication_id JOIN payments y ON y.order_id = l.order_id
     WHERE l.publisher_id = :publisherId AND l.entered_on >= :from AND l.entered_on <= :until
     GROUP BY l.currency, l.publication_id, p.publication_name, l.product, ${provider}, ${part}, ${isDeferredSql}`,
    { publisherId, ...daysUntil(month, today) },
  )
  return rows
    .flatMap(({ deferred, amount, vat, postage, postageVat, ...row }) => {
      // Outgoing amounts are stored below zero.
      const sign = row.part === 'sold' ? 1 : -1
      const line = (product: LedgerProduct, gross: number, grossVat: number) => ({
        ...row,
        product,
        provider: row.provider as PaymentProvider,
        isDeferred: Number(deferred) === 1,
        amount: sign * gross + 0,
        vat: sign * grossVat + 0,
      })
      return [
        line(row.product, Number(amount) - Number(postage), Number(vat) - Number(postageVat)),
        line('postage', Number(postage), Number(postageVat)),
      ]
    })
    .filter(({ amount, vat }) => amount !== 0 || vat !== 0)
}
