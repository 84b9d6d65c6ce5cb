import { z } from 'zod'
import { type AgreementEnd, agreementEndTexts, PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import { planName } from '../pricing/plan-code.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { cyclesOf, isOpen, maxCycles, type RenewalCycle } from './renewal-cycles.query.ts'

/** What a reader agreed to pay again, as the reader's page shows it. */
export interface ReaderRenewal {
  agreementId: number
  isOn: boolean
  plan: string
  /** The amount of the next charge: the announced one, else the agreed one. */
  money: Money
  /** When it is charged next automatically; null if it is off, is being charged, or waits for the reader. */
  chargeOn: Day | null
  isDebit: boolean
  /** The last four digits of the card or account; blank if unknown. */
  lastFour: string
  /** The last day on which the card is valid; null if unknown, or if there is none. */
  expiresOn: Day | null
  /** The card expires before the next charge. */
  cardExpires: boolean
  /** The reader can enter another card. */
  canChangeCard: boolean
  agreedOn: Day | null
  firstOrderId: number
  /** When it was turned off, and why in plain words; null while it is on. */
  ended: { on: Day | null; why: string } | null
  /** The cycle that is announced, being charged or declined; null if none is. */
  open: RenewalCycle | null
  /** The cycles that have ended, the latest first. */
  past: RenewalCycle[]
  /** Earlier ones may be left out. */
  isTruncated: boolean
}

const agreementColumns = PaymentAgreements.pick(
  'id',
  'state',
  'provider',
  'product',
  'termMonths',
  'price',
  'currency',
  'renewsOn',
  'lastFour',
  'expiresOn',
  'contractOn',
  'orderId',
  'endReason',
  'endedAt',
)

/**
 * The automatic renewal of one of the acting publisher's readers: the one that is on, else the last one, with the cycles of all.
 * Null if there never was one, and for another publisher's reader.
 */
export const readerRenewal = useCase({
  permission: 'renewal:read',
  input: z.object({ readerId: z.coerce.number('The reader was not found').int() }),
  transaction: 'none',
  async run(ctx, { readerId }): Promise<ReaderRenewal | null> {
    const { publisherId } = tenantOf(ctx)
    // Ended ones are found by the reader's orders: the index by reader only covers those that are on.
    const agreements = await agreementColumns.rows(
      ctx,
      `SELECT ${agreementColumns.columns('a')} FROM payment_agreements a JOIN publications p ON p.id = a.publication_id
       WHERE a.id IN (
           SELECT id FROM payment_agreements WHERE reader_id = :readerId AND state = 'active'
           UNION SELECT x.id FROM payment_agreements x JOIN orders o ON o.buyer_id = x.buyer_id
             WHERE o.reader_id = :readerId AND x.reader_id = :readerId)
         AND p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}
       ORDER BY CASE WHEN a.state = 'active' THEN 0 ELSE 1 END, a.id DESC`,
      { readerId, publisherId: publisherId ?? null },
    )
    const [latest] = agreements
    if (!latest) return null
    const { id, product, termMonths, price, currency, renewsOn, lastFour, expiresOn, contractOn, ...agreement } = latest
    const cycles = await cyclesOf(
      ctx,
      agreements.map(({ id: agreementId }) => agreementId),
    )
    const open = cycles.find((cycle) => cycle.agreementId === id && isOpen(cycle.state)) ?? null
    const isOn = agreement.state === 'active'
    const nextOn = open ? open.chargeOn : renewsOn
    return {
      agreementId: id,
      isOn,
      plan: planName({ product, termMonths, isRecurring: true }),
      money: open?.money ?? { amount: price, currency },
      chargeOn: !isOn ? null : open ? open.nextTryOn : renewsOn,
      isDebit: agreement.provider === 'stripe-bacs',
      lastFour: lastFour ?? '',
      expiresOn,
      cardExpires: isOn && expiresOn !== null && expiresOn < nextOn,
      canChangeCard: ctx.payments[agreement.provider]?.cardUpdate !== undefined,
      agreedOn: contractOn,
      firstOrderId: agreement.orderId,
      ended: isOn
        ? null
        : {
            on: agreement.endedAt && dayOf(agreement.endedAt, ctx.settings.timeZone),
            why: endText(agreement.endReason),
          },
      open,
      past: cycles.filter(({ state }) => !isOpen(state)),
      isTruncated: cycles.length === maxCycles,
    }
  },
})

function endText(reason: AgreementEnd | null): string {
  return reason === null ? '' : agreementEndTexts[reason]
}
