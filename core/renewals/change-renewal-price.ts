import { z } from 'zod'
import { actorColumns } from '../access/actor.ts'
import { maxNoticeDays } from '../agreements/notice-days.rules.ts'
import { addChange, RenewalPriceChanges, withdrawChange } from '../agreements/renewal-price-changes.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import { type Currency, formatMoney } from '../kernel/money.ts'
import { planName } from '../pricing/plan-code.rules.ts'
import { currencyOf } from '../pricing/region.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import type { PublicationRow } from '../publications/publications.rows.ts'
import { useCase } from '../use-case.ts'
import { type PriceChange, type PriceChangeImpact, priceChangeImpact } from './price-change-impact.query.ts'
import { RenewalPriceInput } from './renewal-price.input.ts'

/** The effect of a new price, in minor units of `currency`. */
export interface RenewalPricePreview extends PriceChangeImpact, PriceChange {
  publicationName: string
  currency: Currency
}

/** The effect of a new price; nothing is changed. */
export const previewRenewalPrice = useCase({
  permission: 'renewal:charge',
  input: RenewalPriceInput,
  transaction: 'none',
  async run(ctx, input): Promise<RenewalPricePreview> {
    const publication = await ownPublication(ctx, { id: input.publicationId })
    return previewOf(ctx, publication, input)
  },
})

/**
 * Sets a new price for renewals of a plan: each cycle of its cohort from the effective day on is announced and charged at it.
 * Announced cycles keep their announced price, and the shop's prices are unchanged.
 */
export const changeRenewalPrice = useCase({
  permission: 'renewal:charge',
  input: RenewalPriceInput,
  async run(ctx, input): Promise<{ id: number; agreements: number }> {
    const publication = await ownPublication(ctx, { id: input.publicationId })
    const { publisherId } = publication
    const { publicationName, currency, agreements, ...preview } = await previewOf(ctx, publication, input)
    if (agreements === 0)
      throw conflict('This would not change anyone’s price', {
        hint: 'Choose another plan, other readers or another price.',
      })
    const { publicationId, product, termMonths, band, contractedBefore, oldPrice, newPrice, effectiveOn } = preview
    const id = await addChange(ctx, {
      publisherId,
      publicationId,
      product,
      termMonths,
      band,
      currency,
      contractedBefore,
      oldPrice,
      newPrice,
      effectiveOn,
      createdBy: actorColumns(ctx.actor).actorId,
    })
    await recordAudit(
      ctx,
      'change-renewal-price',
      { type: 'publication', id: publicationId, publisherId },
      {
        priceChange: id,
        plan: planName({ product, termMonths, isRecurring: true }),
        region: band,
        ...(oldPrice === null ? {} : { oldPrice: formatMoney({ amount: oldPrice, currency }) }),
        newPrice: formatMoney({ amount: newPrice, currency }),
        contractedBefore,
        effectiveOn,
        agreements,
      },
    )
    return { id, agreements }
  },
})

/** Withdraws a new price: cycles that are not announced yet cost the agreed price. Idempotent. */
export const withdrawRenewalPrice = useCase({
  permission: 'renewal:charge',
  input: z.object({ id: z.coerce.number('Choose a new price').int() }),
  async run(ctx, { id }): Promise<{ wasOpen: boolean }> {
    const change = await RenewalPriceChanges.find(ctx, { id })
    if (!change) throw notFound('This price')
    const { publisherId, id: publicationId } = await ownPublication(ctx, { id: change.publicationId })
    if (!(await withdrawChange(ctx, id, actorColumns(ctx.actor).actorId))) return { wasOpen: false }
    const subject = { type: 'publication', id: publicationId, publisherId }
    await recordAudit(ctx, 'withdraw-renewal-price', subject, { priceChange: id })
    return { wasOpen: true }
  },
})

async function previewOf(
  ctx: AppContext,
  { id: publicationId, publicationName }: PublicationRow,
  input: z.output<typeof RenewalPriceInput>,
): Promise<RenewalPricePreview> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const { plan, ...values } = validated(input, today)
  const change = { publicationId, ...plan, ...values }
  const impact = await priceChangeImpact(ctx, change, today)
  const earliest = addDays(today, maxNoticeDays)
  if (impact.prices.some(({ price }) => price < change.newPrice) && change.effectiveOn < earliest) {
    throw invalid({
      effectiveOn: `Choose ${formatDay(earliest)} or later: readers are notified of a higher price ${maxNoticeDays} days before`,
    })
  }
  return { ...change, ...impact, publicationName, currency: currencyOf(plan.band) }
}

/** Validates that the input has everything its cohort needs, with errors by field. */
function validated(
  { plan, cohort, before, oldPrice, newPrice, effectiveOn }: z.output<typeof RenewalPriceInput>,
  today: Day,
): { plan: typeof plan } & Pick<PriceChange, 'contractedBefore' | 'oldPrice' | 'newPrice' | 'effectiveOn'> {
  const errors = {
    ...(cohort === 'before' && before === undefined && { before: 'Enter a date, such as 31/12/2026' }),
    ...(cohort === 'before' &&
      before !== undefined &&
      effectiveOn !== undefined &&
      before > effectiveOn && { before: 'Choose the day the price takes effect, or one before it' }),
    ...(cohort === 'price' && !oldPrice && { oldPrice: 'Enter what they pay now, such as 25.00' }),
    ...(cohort === 'price' && oldPrice && oldPrice === newPrice && { newPrice: 'This is what they pay now' }),
    ...(!newPrice && { newPrice: 'Enter an amount such as 29.00' }),
    ...(effectiveOn === undefined
      ? { effectiveOn: 'Enter a date, such as 31/12/2026' }
      : effectiveOn < today && { effectiveOn: 'Choose today or a later day' }),
  }
  if (Object.keys(errors).length > 0 || !newPrice || effectiveOn === undefined) throw invalid(errors)
  return {
    plan,
    contractedBefore: cohort === 'before' && before !== undefined ? before : effectiveOn,
    oldPrice: cohort === 'price' ? oldPrice : null,
    newPrice,
    effectiveOn,
  }
}
