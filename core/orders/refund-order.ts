import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { actorColumns } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import { type Currency, formatMoney, parseMinorUnits } from '../kernel/money.ts'
import { orderBalance } from '../ledger/ledger-entries.rows.ts'
import { isOfStaff } from '../payment-methods/payment-methods.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { lockReaderOfOrder, type OrderRow, Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import {
  type ChosenRefundMethod,
  chosenRefundMethods,
  type RefundChoices,
  type RefundScope,
  refundScopes,
} from './refund.rules.ts'
import { choicesOf, type ProposedChoices } from './refund-choices.ts'
import { type RefundView, refundView } from './refund-view.ts'
import { type RefundRow, Refunds } from './refunds.rows.ts'
import { requestRefund } from './request-refund.ts'
import { settleRefund } from './settle-refund.ts'

const RefundInput = z.object({
  id: z.coerce.number('The order was not found').int(),
  scope: z.enum(refundScopes, 'Choose what to refund'),
  /** In the form "12.50"; required only for a refund of an amount. */
  amount: z.string().trim().max(20).default(''),
  reason: z.string().trim().max(300, 'Give the reason in 300 characters or fewer').default(''),
  /** Blank: as the refund policy says. */
  method: z.union([z.enum(chosenRefundMethods, 'Choose how the money goes back'), z.literal('')]).default(''),
  /**
   * The former name of `method`, in older programs and in pages open since before an upgrade. Refused: without a method
   * the policy might send the money back.
   */
  way: z.never('This field is now called method. On a page, reload it and choose again.').optional(),
})
type RefundInput = z.output<typeof RefundInput>

/** A planned refund: its amount in minor units and the months it covers. */
export interface PlannedRefund
  extends Pick<RefundRow, 'scope' | 'amount' | 'currency' | 'monthCount' | 'fromOn' | 'untilOn'> {
  orderNumber: string
  method: ChosenRefundMethod
  /** The order's remaining amount afterwards. */
  netAfter: number
  /** The refund was already made under the same key: nothing more will be refunded. */
  isMade: boolean
}

/** The idempotency key that a caller chooses: a repeated request makes no second refund. */
const Key = z
  .string()
  .trim()
  .regex(/^[\w.:-]{8,80}$/, 'A key has 8 to 80 letters, digits, dots, colons and hyphens')
  .optional()

/**
 * The amount of a refund, without making it: the proposal of the publication's policy if nothing is chosen, or the refund that was already made
 * under the key. Throws the errors the refund would throw.
 */
export const planRefund = useCase({
  permission: 'order:refund',
  input: RefundInput.extend({ scope: RefundInput.shape.scope.or(z.literal('')).optional(), key: Key }),
  transaction: 'none',
  async run(ctx, input): Promise<PlannedRefund> {
    const order = await ownOrder(ctx, input.id)
    const { orderNumber } = order
    const earlier = input.key ? await findEarlierRefund(ctx, order, input) : null
    if (earlier) {
      const { scope, amount, currency, monthCount, fromOn, untilOn } = earlier
      const balance = await orderBalance(ctx, order.id, dayOf(ctx.now(), ctx.settings.timeZone))
      const method = earlier.method === 'reported' ? 'provider' : earlier.method
      const netAfter = balance?.net ?? 0
      return { orderNumber, scope, amount, currency, monthCount, fromOn, untilOn, method, netAfter, isMade: true }
    }
    const { planned, choices } = await planOf(ctx, order, input)
    const { scope, amount, currency, monthCount, fromOn, untilOn, method } = planned
    const netAfter = choices.refundable - amount
    return { orderNumber, scope, amount, currency, monthCount, fromOn, untilOn, method, netAfter, isMade: false }
  },
})

/**
 * Refunds money of one of the acting publisher's orders. The refund is stored first, then the provider is called outside any
 * transaction, then its answer is settled. The same key sent again is the same refund, here and at the provider; a lost response is
 * requested again by the sweep. Throws `conflict` if the figures are not those that were confirmed, or a dispute is open.
 */
export const refundOrder = useCase({
  permission: 'order:refund',
  input: RefundInput.extend({
    /** The amount that was confirmed, in minor units: another one is refused. */
    expected: z.coerce.number().int().optional(),
    key: Key,
  }),
  transaction: 'none',
  async run(ctx, input): Promise<RefundView> {
    const { refund, isNew } = await ctx.db.transaction(() => writePlan(ctx, input))
    if (isNew && refund.method === 'provider') await requestRefund(ctx, refund)
    const settled = await Refunds.find(ctx, { id: refund.id })
    if (!settled) throw notFound('The refund')
    return refundView(settled)
  },
})

async function ownOrder(ctx: AppContext, id: number, options: { isLocked?: boolean } = {}): Promise<OrderRow> {
  const order = await Orders.find(ctx, { id, ...tenantOf(ctx) }, options)
  if (!order) throw notFound('The order')
  return order
}

/** Under the order's lock: two concurrent refunds can never exceed what was paid. */
async function writePlan(
  ctx: AppContext,
  input: RefundInput & { expected?: number | undefined; key?: string | undefined },
): Promise<{ refund: RefundRow; isNew: boolean }> {
  await lockReaderOfOrder(ctx, (await ownOrder(ctx, input.id)).id)
  const order = await ownOrder(ctx, input.id, { isLocked: true })
  const key = input.key ?? randomUUID()
  const earlier = await findEarlierRefund(ctx, order, { ...input, key })
  if (earlier) return { refund: earlier, isNew: false }
  const { planned } = await planOf(ctx, order, input)
  const { method } = planned
  if (input.expected !== undefined && input.expected !== planned.amount) {
    const amount = formatMoney({ amount: planned.amount, currency: order.currency })
    throw conflict(`The refund would now be ${amount}. Please check it and confirm again.`)
  }
  // No provider is called: staff send the money, or it is kept.
  const isWithoutProvider = method !== 'provider'
  const id = await Refunds.insert(ctx, {
    ...planned,
    publisherId: order.publisherId,
    orderId: order.id,
    state: 'planned',
    idempotencyKey: keyOf(order, key),
    reason: input.reason,
    ...actorColumns(ctx.actor),
    plannedAt: ctx.now(),
    askedAt: isWithoutProvider ? null : ctx.now(),
  })
  const { amount, currency, scope } = planned
  await recordAudit(
    ctx,
    'refund-order',
    { type: 'order', id: order.id, publisherId: order.publisherId },
    { amount, currency, scope, method },
  )
  if (isWithoutProvider)
    await settleRefund(ctx, { order, refundId: id, result: { state: 'succeeded', reference: null, reason: '' } })
  return { refund: (await Refunds.find(ctx, { id })) as RefundRow, isNew: true }
}

const keyOf = (order: OrderRow, key: string | undefined) => `refund:${order.publisherId}:${key}`

/** The refund that was made under this key; throws `conflict` if it was another one. */
async function findEarlierRefund(
  ctx: AppContext,
  order: OrderRow,
  { key, scope, amount, method }: RefundRequest & { key?: string | undefined },
): Promise<RefundRow | null> {
  const earlier = await Refunds.find(ctx, { idempotencyKey: keyOf(order, key) })
  if (!earlier) return null
  const isSame =
    earlier.orderId === order.id &&
    (!scope || scope === earlier.scope) &&
    (scope !== 'amount' || parseMinorUnits(amount) === earlier.amount) &&
    (await isSameMethod(ctx, earlier, method))
  if (!isSame)
    throw conflict('A different refund was made with this key before', {
      hint: 'Choose another key, or reload the page.',
    })
  return earlier
}

/** Whether a repeated form requests the method of the earlier refund, or a method that was not available and was replaced by it. */
async function isSameMethod(ctx: AppContext, earlier: RefundRow, method: RefundInput['method']): Promise<boolean> {
  if (method === '' || method === earlier.method) return true
  const payment = await Payments.find(ctx, { orderId: earlier.orderId })
  if (!payment || method === 'credit') return false
  return payment.provider === 'credit'
    ? earlier.method === 'credit'
    : isOfStaff(payment.provider) && earlier.method === 'hand'
}

/**
 * Money that staff took themselves is refunded manually, as no provider has it; an amount paid by credit is refunded as credit. Without a choice
 * it is the proposed method.
 */
function refundMethod({ methods, asMoney }: ProposedChoices, method: RefundInput['method']): ChosenRefundMethod {
  if (method === '') return methods[0]
  if (methods.includes(method)) return method
  if (method === 'credit')
    throw invalid({
      method:
        'Only money that was paid can be kept as credit. Choose another method: a refund of an unpaid invoice reduces what is due, and a demo payment is not money',
    })
  return asMoney === 0 ? 'credit' : 'hand'
}

type RefundRequest = Omit<RefundInput, 'scope'> & { scope?: RefundScope | '' | undefined }

async function planOf(ctx: AppContext, order: OrderRow, request: RefundRequest) {
  const balance = await orderBalance(ctx, order.id, dayOf(ctx.now(), ctx.settings.timeZone))
  const choices = await choicesOf(ctx, order, balance)
  if ('problem' in choices) throw conflict(choices.problem)
  const scope = request.scope || choices.proposal.scope
  if (!scope) throw invalid({ scope: 'Choose what to refund: the refund policy proposes nothing' })
  const method = refundMethod(choices, request.method)
  const planned = { ...amountOf({ ...request, scope }, choices, order), currency: order.currency, method }
  if (method !== 'credit' && planned.amount > choices.asMoney) {
    const limit = formatMoney({ amount: choices.asMoney, currency: order.currency })
    throw invalid({
      [scope === 'amount' ? 'amount' : 'scope']:
        `Part of it was paid by credit: refund an amount of at most ${limit} this way, and the rest as credit`,
    })
  }
  checkPolicy(ctx, choices, { ...planned, reason: request.reason })
  return { choices, planned }
}

/** More than the policy allows needs a reason, and only the publisher may refund it if staff may not. A title without a policy refuses nothing. */
function checkPolicy(
  { actor }: AppContext,
  { isPolicySet, policy, proposal }: ProposedChoices,
  {
    amount,
    currency,
    reason,
    method,
  }: { amount: number; currency: Currency; reason: string; method: ChosenRefundMethod },
): void {
  const isMoneyForCredit = proposal.isCredit && method !== 'credit'
  if (!isPolicySet || (amount <= proposal.amount && !isMoneyForCredit)) return
  if (!policy.allowsMore && actor.kind === 'staff' && actor.userType !== 'publisher') {
    const limit = formatMoney({ amount: proposal.amount, currency })
    throw conflict(
      `The refund policy allows ${proposal.rule}: at most ${limit}${isMoneyForCredit ? ', and only as credit' : ''}`,
      {
        hint: 'The publisher may refund more, or change the policy.',
      },
    )
  }
  if (reason === '') throw invalid({ reason: 'Give the reason: it is more than the refund policy allows' })
}

function amountOf(input: RefundInput, { refundable, months }: RefundChoices, order: OrderRow) {
  const noMonths = { firstMonth: null, monthCount: null, fromOn: null, untilOn: null }
  switch (input.scope) {
    case 'whole':
      return { scope: input.scope, amount: refundable, ...noMonths }
    case 'months': {
      if (!months) throw invalid({ scope: 'Every month of this order has already begun' })
      const { amount, first, count, fromOn, untilOn } = months
      return { scope: input.scope, amount, firstMonth: first, monthCount: count, fromOn, untilOn }
    }
    case 'amount': {
      const amount = parseMinorUnits(input.amount)
      if (amount === null || amount <= 0) throw invalid({ amount: 'Enter an amount such as 12.50' })
      if (amount > refundable) {
        const limit = formatMoney({ amount: refundable, currency: order.currency })
        throw invalid({ amount: `At most ${limit} can be refunded` })
      }
      return { scope: input.scope, amount, ...noMonths }
    }
  }
}
