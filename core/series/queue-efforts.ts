import { randomInt } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { enqueueEmails } from '../jobs/enqueue-mail.ts'
import type { Day } from '../kernel/dates.ts'
import { takesPromo } from '../pricing/discount.rules.ts'
import type { TermMonths } from '../pricing/plan-code.rules.ts'
import { offerFor, type PriceList } from '../pricing/price-table.rules.ts'
import { everyProduct } from '../promos/promo.rules.ts'
import { addReaderPromos } from '../promos/promo-codes.rows.ts'
import type { DueEffort } from './due-efforts.query.ts'
import { completeEfforts, type NewEffort } from './reader-efforts.rows.ts'
import type { EffortChannel, EffortKind, EffortOffer } from './series.rules.ts'

/** An effort that has just been added and will be sent. */
export interface OutgoingEffort {
  id: number
  readerId: number
  /** Efforts of one kind to the same address are sent in one email. */
  email: string
  kind: EffortKind
  channel: EffortChannel
  /** The term that the link offers; null: the reader chooses. */
  termMonths: TermMonths | null
  /** The promo code to create for this reader; null: none. `name` is the name that staff see. */
  promo: { name: string; discountPercent: number; endsOn: Day } | null
}

interface SendContext {
  publicationId: number
  publisherId: number
  on: Day
}

/** Queues the emails of new efforts, one per address and kind, and creates their promo codes. Call it in the transaction that adds the efforts. */
export async function queueEfforts(
  ctx: AppContext,
  { publicationId, publisherId, on }: SendContext,
  efforts: readonly OutgoingEffort[],
): Promise<{ emails: number; letters: number }> {
  // A term that takes no promo code gets none: the email and the letter then show the full price, which is what the link charges.
  const outgoing = efforts.map((effort) => (takesPromo(effort.termMonths) ? effort : { ...effort, promo: null }))
  const promos = new Map<number, number>()
  for (const name of new Set(outgoing.flatMap(({ promo }) => (promo ? [promo.name] : [])))) {
    const added = await addReaderPromos(
      ctx,
      { publicationId, name, startsOn: on },
      outgoing.flatMap(({ readerId, promo }) =>
        promo?.name === name
          ? [{ readerId, code: newCode(), ...pickPromo(promo), applicableProducts: everyProduct }]
          : [],
      ),
    )
    for (const [readerId, id] of added) promos.set(readerId, id)
  }
  const leads = new Map<string, number>()
  const completed = outgoing.map(({ id, readerId, kind, channel, email }) => {
    const key = `${kind} ${email.toLowerCase()}`
    const lead = channel === 'mail' ? leads.get(key) : undefined
    if (channel === 'mail' && lead === undefined) leads.set(key, id)
    return { id, togetherWith: lead ?? null, promoCodeId: promos.get(readerId) ?? null }
  })
  await completeEfforts(
    ctx,
    completed.filter(({ togetherWith, promoCodeId }) => togetherWith !== null || promoCodeId !== null),
  )
  const leadIds = new Set(leads.values())
  for (const kind of ['reminder', 'offer'] as const) {
    await enqueueEmails(
      ctx,
      kind === 'reminder' ? 'renewal-reminder' : 'renewal-offer',
      outgoing
        .filter((effort) => leadIds.has(effort.id) && effort.kind === kind)
        .map(({ id }) => ({ about: { effortId: id }, dedupeKey: `renewal-effort:${id}`, publisherId })),
    )
  }
  return { emails: leadIds.size, letters: outgoing.filter(({ channel }) => channel === 'letter').length }
}

const pickPromo = ({ discountPercent, endsOn }: NonNullable<OutgoingEffort['promo']>) => ({ discountPercent, endsOn })

/** The plan and price that the link offers: those of the effort, or else the reader's current plan. All null if that is not sold in the country. */
export function linkOffer(
  {
    country,
    product: currentProduct,
    termMonths: currentMonths,
  }: Pick<DueEffort, 'country' | 'product' | 'termMonths'>,
  { offerProduct, offerTermMonths, offerPrices }: Pick<EffortOffer, 'offerProduct' | 'offerTermMonths' | 'offerPrices'>,
  prices: PriceList,
  homeCountry: string,
): Pick<NewEffort, 'product' | 'termMonths' | 'price' | 'currency'> {
  const product = offerProduct ?? currentProduct
  const termMonths = offerTermMonths ?? currentMonths ?? 12
  const offer = offerFor(prices, country || homeCountry, { product, termMonths, isRecurring: false })
  if (!offer) return { product: null, termMonths: null, price: null, currency: null }
  return { product, termMonths, price: offerPrices?.[offer.currency] ?? offer.price, currency: offer.currency }
}

/** The characters of promo codes, without those that look alike. */
const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A unique code that cannot be guessed: 60 bits. */
function newCode(): string {
  return `R-${Array.from({ length: 12 }, () => codeLetters[randomInt(codeLetters.length)]).join('')}`
}

export async function pricesOf({ db }: AppContext, publicationId: number): Promise<PriceList> {
  const rows = await db.query<PriceList['prices'][number]>(
    `SELECT product, term_months AS "termMonths", band, is_recurring AS "isRecurring", amount FROM publication_prices
     WHERE publication_id = :publicationId`,
    { publicationId },
  )
  return { prices: rows.map((row) => ({ ...row, isRecurring: Boolean(row.isRecurring) })), freeProducts: [] }
}
