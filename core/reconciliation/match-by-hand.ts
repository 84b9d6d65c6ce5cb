import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import { closedBy, lockedClosedUntil, openDay } from '../ledger/ledger-close-states.rows.ts'
import { enterFees } from '../ledger/ledger-entries.rows.ts'
import { formatMonth, monthOf } from '../ledger/months.rules.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { unexplainedStates } from './line-kinds.rules.ts'
import { enterFeesOnce, feesOf, isOfRepeatedMatch, matchLines } from './match-lines.ts'
import { type ProviderLine, ProviderLines } from './provider-lines.rows.ts'

/** Matches an unmatched line of a report to an order manually. The order, its sale and its amount do not change. */
export const matchLine = useCase({
  permission: 'ledger:reconcile',
  input: z.object({
    lineId: z.coerce.number().int(),
    orderNumber: z.string().trim().min(1, 'Required').max(40, 'Must be 40 characters or fewer'),
  }),
  async run(ctx, { lineId, orderNumber }): Promise<void> {
    const publisherId = requirePublisherId(ctx)
    const line = await ownLine(ctx, publisherId, lineId)
    if (!unexplainedStates.some((state) => state === line.state))
      throw conflict('This line no longer needs to be matched', {
        hint: 'Somebody has matched it in the meantime, or another report has explained it. Nothing was changed.',
      })
    const [order] = await ctx.db.query<{ id: number; is_entered: unknown }>(
      `SELECT o.id, EXISTS (SELECT 1 FROM ledger_entries l WHERE l.order_id = o.id AND l.kind = 'sale') AS is_entered
       FROM orders o WHERE o.publisher_id = :publisherId AND o.order_number = :orderNumber`,
      { publisherId, orderNumber: orderNumber.toUpperCase() },
    )
    if (!order) throw invalid({ orderNumber: 'There is no order with this number' })
    if (!order.is_entered)
      throw invalid({ orderNumber: 'This order was never paid, so the ledger has nothing to match' })
    const orderId = Number(order.id)
    const matchNumber = line.matchNumber + 1
    const matchedTo = await manualTarget(ctx, line, orderId)
    const explainedOn = openDay(await lockedClosedUntil(ctx, publisherId), line.occurredOn)
    await ProviderLines.update(
      ctx,
      { id: line.id },
      { state: 'matched', orderId, matchedTo, explainedOn, isByHand: true, matchNumber },
    )
    await enterFeesOnce(ctx, publisherId, feesOf({ ...line, matchNumber }, orderId))
    await recordAudit(
      ctx,
      'match-provider-line',
      { type: 'order', id: orderId, publisherId },
      { provider: line.provider, line: line.lineKey },
    )
  },
})

/** Undoes a manual match: the line is matched automatically again, as if it were new, and its fee in the ledger is reversed. */
export const unmatchLine = useCase({
  permission: 'ledger:reconcile',
  input: z.object({ lineId: z.coerce.number().int() }),
  async run(ctx, { lineId }): Promise<void> {
    const publisherId = requirePublisherId(ctx)
    const line = await ownLine(ctx, publisherId, lineId)
    if (!line.isByHand || line.orderId === null)
      throw conflict('This line was not matched by hand', {
        hint: 'Its match has been undone already, or was automatic. Nothing was changed.',
      })
    const { orderId, explainedOn } = line
    // The journal of a closed month includes the match and must not change.
    if (explainedOn !== null && closedBy(await lockedClosedUntil(ctx, publisherId))(explainedOn))
      throw conflict(`This match belongs to ${formatMonth(monthOf(explainedOn))}, which is closed`, {
        hint: 'Reopen the month first.',
      })
    for (const { cause, amount, ...fee } of feesOf(line, orderId))
      if (await isUndone(ctx, line, { cause, orderId }))
        await enterFees(ctx, publisherId, [{ ...fee, cause: `${cause}:undone`, amount: 0 - amount }])
    const open = {
      state: 'open',
      orderId: null,
      matchedTo: null,
      explainedOn: null,
      isByHand: false,
      // With the old number, the ledger would ignore a new entry of the fee, which would have the same cause as the undone one.
      matchNumber: line.matchNumber + 1,
    } as const
    await ProviderLines.update(ctx, { id: line.id }, open)
    await matchLines(ctx, publisherId, [{ ...line, ...open }])
    await recordAudit(
      ctx,
      'unmatch-provider-line',
      { type: 'order', id: orderId, publisherId },
      { provider: line.provider, line: line.lineKey },
    )
  },
})

/** Whether the fee of a manual match is reversed with it. That of a dispute stays where the provider itself reported the dispute for the order. */
async function isUndone(
  ctx: AppContext,
  { sourceReference }: ProviderLine,
  { cause, orderId }: { cause: string; orderId: number },
): Promise<boolean> {
  if (cause.startsWith('line:')) return true
  if (!isOfRepeatedMatch({ cause })) return false
  const [row] = await ctx.db.query<{ is_entered: unknown; is_reported: unknown }>(
    `SELECT EXISTS (SELECT 1 FROM ledger_entries WHERE order_id = :orderId AND kind = 'fee' AND cause = :cause) AS is_entered,
       EXISTS (SELECT 1 FROM disputes WHERE order_id = :orderId AND provider_reference = :reference) AS is_reported`,
    { orderId, cause, reference: sourceReference },
  )
  return row !== undefined && asBoolean(row.is_entered) && !asBoolean(row.is_reported)
}

async function ownLine(ctx: AppContext, publisherId: number, lineId: number): Promise<ProviderLine> {
  const line = await ProviderLines.find(ctx, { id: lineId, publisherId }, { isLocked: true })
  if (!line) throw notFound('The line')
  return line
}

/**
 * What a manual match is matched to: a payment to the sale, a refund or dispute to the one that it names or, if it names none, the only one. Otherwise,
 * or if another line is matched to that, a name of its own.
 */
async function manualTarget(ctx: AppContext, line: ProviderLine, orderId: number): Promise<string> {
  const target = await manualTargetOf(ctx, line, orderId)
  const [other] = await ctx.db.query(
    `SELECT 1 AS found FROM provider_lines WHERE order_id = :orderId AND matched_to = :target LIMIT 1`,
    { orderId, target },
  )
  return target === null || other ? `by-hand:${line.id}` : target
}

async function manualTargetOf(
  ctx: AppContext,
  { kind, sourceReference }: ProviderLine,
  orderId: number,
): Promise<string | null> {
  if (kind === 'charge') return 'sale'
  if (kind !== 'refund' && kind !== 'dispute') return null
  const entered = await ctx.db.query<{ id: number; what: string; provider_reference: string | null }>(
    `SELECT id, 'refund' AS what, provider_reference FROM refunds
     WHERE order_id = :orderId AND accepted_at IS NOT NULL AND method NOT IN ('hand', 'credit') AND state IN ('pending', 'succeeded')
     UNION ALL SELECT id, 'dispute', provider_reference FROM disputes WHERE order_id = :orderId`,
    { orderId },
  )
  const named = entered.find(({ provider_reference: reference }) => reference !== null && reference === sourceReference)
  const target = named ?? (entered.length === 1 ? entered[0] : undefined)
  return target ? `${target.what}:${target.id}` : null
}
