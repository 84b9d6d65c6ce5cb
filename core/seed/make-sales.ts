import { defaultRenewalSettings } from '../agreements/dunning.rules.ts'
import { addDays, addMonths } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { orderNumberLetters } from '../kernel/order-number.rules.ts'
import { discounted } from '../pricing/discount.rules.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { type Band, bandOf } from '../pricing/region.rules.ts'
import { newTerm } from '../terms/term.rules.ts'
import type { DemoPromoCode, DemoPublication } from './demo-publications.ts'
import { makePerson, type Person } from './make-person.ts'
import type { Random } from './random.ts'
import type { StaffSale } from './staff-sales.ts'

/** A storefront customer and their term so far. */
export interface Customer {
  publication: DemoPublication
  buyer: Person & { email: string }
  /** Who reads it: the buyer, or the recipient of the gift. */
  recipient: Person
  isGift: boolean
  subType: Product
  subStartOn: Day
  subEndOn: Day
  subAnchorDay: number | null
  answerC: string
}

export interface Sale {
  customer: Customer
  orderNumber: string
  on: Day
  /** Seconds since midnight, universal time. */
  second: number
  product: Product
  /** Null is the free plan. */
  termMonths: TermMonths | null
  isRecurring: boolean
  band: Band
  price: number
  discount: number
  promo: DemoPromoCode | null
  startOn: Day
  endOn: Day
  isRenewal: boolean
  /** Null: placed at the storefront. */
  staffSale: StaffSale | null
}

/** New customers by calendar month, January first: presents before Christmas, quiet high summer. */
const seasons = [1.15, 0.9, 0.95, 1, 0.95, 0.8, 0.7, 0.75, 1.05, 1.1, 1.45, 1.75] as const

const benchAnswers = [
  'A 3½" gauge Tich',
  'Stuart 10V',
  'Rebuilding a Myford ML7',
  'Nothing, the shed is full',
  'A traction engine, slowly',
  'Tool & cutter grinder',
] as const

/** Twenty-four months of one publication's storefront up to today, in the order they happened. */
export function makeSales(random: Random, publication: DemoPublication, today: Day, usedNumbers: Set<string>): Sale[] {
  const sales: Sale[] = []
  for (let month = -24; month <= 0; month++) {
    const from = addMonths(`${today.slice(0, 7)}-01`, month)
    const season = seasons[Number(from.slice(5, 7)) - 1] ?? 1
    const count = Math.round(
      publication.customersPerMonth * season * (1 + (month + 24) / 60) * (0.9 + random.int(0, 20) / 100),
    )
    for (let n = 0; n < count; n++) {
      const on = addDays(from, random.int(0, 27))
      if (on > today || on < addMonths(today, -24)) continue
      sales.push(...salesOfOneCustomer(random, publication, on, today))
    }
  }
  sales.sort((a, b) => (a.on === b.on ? a.second - b.second : a.on < b.on ? -1 : 1))
  settlePromos(sales, today)
  for (const sale of sales) sale.orderNumber = newNumber(random, usedNumbers)
  return sales
}

/** An order number that no other sale of the demo has. */
function newNumber(random: Random, usedNumbers: Set<string>): string {
  let number: string
  do number = `OD-${Array.from({ length: 7 }, () => random.pick([...orderNumberLetters])).join('')}`
  while (usedNumbers.has(number))
  usedNumbers.add(number)
  return number
}

/** Removes the codes that were not live on the day or already used up: in the order of the sales, as it would have happened. */
function settlePromos(sales: readonly Sale[], today: Day): void {
  const used = new Map<DemoPromoCode, number>()
  for (const sale of sales) {
    const { promo } = sale
    if (!promo) continue
    const count = used.get(promo) ?? 0
    const isLive =
      (promo.starts === null || sale.on >= addDays(today, promo.starts)) &&
      (promo.ends === null || sale.on <= addDays(today, promo.ends))
    if (isLive && (promo.uses === 0 || count < promo.uses)) used.set(promo, count + 1)
    else Object.assign(sale, { promo: null, discount: 0 })
  }
}

function salesOfOneCustomer(random: Random, publication: DemoPublication, firstOn: Day, today: Day): Sale[] {
  const person = makePerson(random)
  const buyer = {
    ...person,
    email:
      person.email ||
      `${person.lastName.replaceAll(/[^A-Za-z]/g, '').toLowerCase() || 'reader'}${random.int(1000, 99_999)}@example.com`,
  }
  const isChristmas = ['11', '12'].includes(firstOn.slice(5, 7))
  const isGift = random.chance(isChristmas ? 0.12 : 0.03)
  const customer: Customer = {
    publication,
    buyer,
    recipient: isGift ? { ...makePerson(random, buyer.country), email: '' } : buyer,
    isGift,
    subType: 'print',
    subStartOn: firstOn,
    subEndOn: firstOn,
    subAnchorDay: null,
    answerC: publication.questionC ? random.pick(benchAnswers) : '',
  }
  const plan = choosePlan(random, publication, bandOf(buyer.country), isGift)
  const sales: Sale[] = []
  for (let on: Day | null = firstOn; on !== null; on = nextOrder(random, customer, plan, today)) {
    sales.push(sell(random, customer, plan, on, sales.length > 0))
    if (plan.termMonths === null || isGift) break
  }
  return sales
}

type Plan = Pick<Sale, 'product' | 'termMonths' | 'isRecurring' | 'band' | 'price'>

function choosePlan(random: Random, publication: DemoPublication, band: Band, isGift: boolean): Plan {
  if (publication.digitalIsFree && !isGift && random.chance(0.3)) {
    return { product: 'digital', termMonths: null, isRecurring: false, band, price: 0 }
  }
  const bandIndex = (['UK', 'US', 'EU'] as const).indexOf(band)
  const offers = publication.prices.filter(
    ({ isRecurring, product }) => !isGift || (!isRecurring && product !== 'digital'),
  )
  const weights: Record<number, number> = { 12: 6, 6: 2, 3: 1, 1: 1 }
  const offer = random.weighted(
    offers.map((price) => [price, (weights[price.termMonths] ?? 1) * (price.product === 'print' ? 2 : 1)] as const),
  )
  return {
    product: offer.product,
    termMonths: offer.termMonths,
    isRecurring: offer.isRecurring,
    band,
    price: offer.amounts[bandIndex] ?? 0,
  }
}

function sell(random: Random, customer: Customer, plan: Plan, on: Day, isRenewal: boolean): Sale {
  const current = isRenewal ? customer : null
  const term = newTerm(current, { product: plan.product, termMonths: plan.termMonths }, on)
  const startOn = term?.startOn ?? on
  const endOn = term?.endOn ?? on
  customer.subType = plan.product
  Object.assign(customer, term?.reader ?? { subStartOn: startOn, subEndOn: endOn })
  const promo = isRenewal || plan.isRecurring ? null : promoFor(random, customer.publication, plan)
  return {
    ...plan,
    customer,
    orderNumber: '',
    on,
    second: random.int(6 * 3600, 22 * 3600),
    promo,
    discount: discounted(plan.price, promo?.percent ?? 0).discount,
    startOn,
    endOn,
    isRenewal,
    staffSale: null,
  }
}

/** A code the buyer may have had; `settlePromos` decides. */
function promoFor(random: Random, publication: DemoPublication, plan: Plan): DemoPromoCode | null {
  if (plan.termMonths === null || plan.termMonths === 1 || !random.chance(0.3)) return null
  const flag = ({ 12: 'priceOneYear', 6: 'priceSixMonths', 3: 'priceThreeMonths' } as const)[plan.termMonths]
  const fitting = publication.promoCodes.filter(({ applicable }) => applicable[plan.product]?.[flag])
  return fitting.length > 0 ? random.pick(fitting) : null
}

/** The day of the next order; null if there is none up to today. A renewal is charged on the last day of its term, other orders come early, late or never. */
function nextOrder(random: Random, customer: Customer, plan: Plan, today: Day): Day | null {
  // Terms that ended within the grace period are renewed less often, so that the demo always has declined payments to look at.
  const isInGrace = customer.subEndOn <= today && addDays(customer.subEndOn, defaultRenewalSettings.graceDays) > today
  if (!random.chance(plan.isRecurring ? (isInGrace ? 0.6 : 0.93) : 0.64)) return null
  const on = addDays(customer.subEndOn, plan.isRecurring ? 0 : random.int(-24, 30))
  return on > today ? null : on
}
