import { issueCurrency, issueOffer, issuesName, issueTotal } from '../back-issues/issue-offer.rules.ts'
import {
  notOnSaleMessage,
  notSoldInCountryMessage,
  soldOutMessage,
  unknownIssueMessage,
} from '../back-issues/issue-problems.rules.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { type Phrase, phraseOf } from '../kernel/phrases.ts'
import { bandOf } from '../pricing/region.rules.ts'
import { allOptedOut } from '../readers/opt-outs.rules.ts'
import type { Storefront } from '../storefronts/storefront.rules.ts'
import { checkCountry, type NewSale, requireSameTotal } from './new-sale.ts'
import type { PlaceBackIssueOrderInput } from './place-back-issue-order.input.ts'

/**
 * Works out what the chosen issues cost, with their postage, by the band of the country. Every issue that cannot be bought is named; a
 * total or currency other than the server's is a conflict that names the right one.
 */
export async function priceBackIssues(
  ctx: AppContext,
  storefront: Storefront,
  input: PlaceBackIssueOrderInput,
): Promise<NewSale> {
  checkCountry(storefront, input.country)
  const unknown = input.backIssues.filter((id) => !storefront.backIssues.some((issue) => issue.id === id))
  const problems = await problemsOfUnknown(ctx, storefront.id, unknown)
  const issues = storefront.backIssues
    .filter(({ id }) => input.backIssues.includes(id))
    .flatMap((issue) => {
      const offer = issueOffer(issue, input.country)
      if (!offer) problems.push(notSoldInCountryMessage(issue.volume))
      else if (!offer.isInStock) problems.push(soldOutMessage(issue.volume))
      return offer ?? []
    })
  if (problems.length > 0) throw invalid({ backIssues: { phrases: problems, by: ' ' } })
  const currency = issueCurrency(input.country)
  const { price, amount } = issueTotal(issues)
  if (input.currency !== undefined && input.currency !== currency) {
    const message = phraseOf(
      'These issues are sold in another currency there: the total is {total}. Please check it and order again.',
      { total: { money: { amount, currency }, withCode: true } },
    )
    throw conflict(message, { fields: { total: message }, detail: { amount, currency } })
  }
  return requireSameTotal(input, {
    kind: 'back-issues',
    product: null,
    productName: issuesName(issues.map(({ volume }) => volume)),
    termMonths: null,
    isRecurring: false,
    gift: null,
    band: bandOf(input.country),
    currency,
    price,
    discount: 0,
    amount,
    promo: null,
    items: issues.map((issue) => ({
      kind: 'back-issue',
      backIssueId: issue.id,
      description: issue.volume,
      price: issue.price,
      postage: issue.postage,
      discount: 0,
      amount: issue.price + issue.postage,
    })),
    // It creates no reader, so there is no record to store these on.
    buyerDraft: { optOuts: allOptedOut(), answers: {} },
    today: dayOf(ctx.now(), ctx.settings.timeZone),
  })
}

/** An issue that this publication took off sale is named; anything else is reported as unknown. */
async function problemsOfUnknown(ctx: AppContext, publicationId: number, ids: readonly number[]): Promise<Phrase[]> {
  if (ids.length === 0) return []
  const offSale = await ctx.db.query<{ id: number; volume: string }>(
    `SELECT id, volume FROM back_issues WHERE publication_id = :publicationId AND id IN (:ids) ORDER BY id DESC`,
    { publicationId, ids },
  )
  const named = offSale.map(({ volume }) => notOnSaleMessage(volume))
  return offSale.length < ids.length ? [...named, unknownIssueMessage] : named
}
