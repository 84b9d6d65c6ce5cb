import type { Day } from '../kernel/dates.ts'
import type { TermMonths } from '../pricing/plan-code.rules.ts'

/** How many days before a charge the reader is notified: usually; at least, if the usual day was missed; and at most. */
interface NoticeDays {
  usual: number
  min: number
  max: number
}

/** A rule for the notice before a charge. It is in force from a day; for earlier charges, the previous row with the same name applies. */
interface NoticeRule {
  name: string
  from: Day
  /** The reader's country; a rule without one applies in every country. */
  country?: string
  /** Terms of at least this many months. */
  minTermMonths: number
  /** Only for direct debits. */
  isDebit?: true
  /** Only for the charge that ends each period of this many months since the contract. */
  everyMonths?: 6
  /** Only if the price is higher (or lower) than that of the last term. */
  price?: 'higher' | 'lower'
  days: NoticeDays
}

export const earliestRuleDay = '2000-01-01'

/**
 * The table of notices before a charge. If several rules apply to a charge, the largest number of days counts. This is a developer's reading of the
 * law. To change a rule, add a row with a new day; never edit a row that has been used.
 */
export const noticeRules: readonly NoticeRule[] = [
  // Masthead's default, in every country. 30 days comply with California's law and with what the United Kingdom has proposed.
  { name: 'long-term', from: earliestRuleDay, minTermMonths: 6, days: { usual: 30, min: 14, max: 60 } },
  // Masthead's default, which no law requires: a late notice does not postpone the charge.
  { name: 'quarter', from: earliestRuleDay, minTermMonths: 3, days: { usual: 7, min: 0, max: 60 } },
  // Masthead's default, in every country: the same notice as before a yearly charge, whatever the term.
  {
    name: 'higher-price',
    from: earliestRuleDay,
    minTermMonths: 1,
    price: 'higher',
    days: { usual: 30, min: 14, max: 60 },
  },
  // California, Business and Professions Code 17602, since 1 July 2025: 7 to 30 days. Applied to the whole country; the default complies with it.
  {
    name: 'us-higher-price',
    from: '2025-07-01',
    country: 'US',
    minTermMonths: 1,
    price: 'higher',
    days: { usual: 30, min: 7, max: 30 },
  },
  // A lower price is announced as well. No law requires it, so a late notice does not postpone the charge.
  { name: 'lower-price', from: earliestRuleDay, minTermMonths: 1, price: 'lower', days: { usual: 7, min: 0, max: 60 } },
  // Digital Markets, Competition and Consumers Act 2024, s. 258: a reminder before the payment at the end of each six months, whatever the term.
  // Expected to be in force in 2027, for contracts made from then on; its days are not fixed yet. Applied to all contracts: one more email does no
  // harm.
  {
    name: 'gb-six-months',
    from: earliestRuleDay,
    country: 'GB',
    minTermMonths: 1,
    everyMonths: 6,
    days: { usual: 30, min: 14, max: 60 },
  },
  // California, Business and Professions Code 17602(b): 15 to 45 days before a yearly renewal. Applied to the whole country.
  { name: 'us-year', from: earliestRuleDay, country: 'US', minTermMonths: 12, days: { usual: 30, min: 15, max: 45 } },
  // Bacs: 10 working days, unless the mandate agrees to fewer, which Masthead's does not. 18 days contain 10 working days even over Christmas and
  // Easter, so no list of bank holidays is needed.
  { name: 'bacs', from: earliestRuleDay, minTermMonths: 1, isDebit: true, days: { usual: 21, min: 18, max: 60 } },
]

/** An upcoming charge, with the facts its notice depends on. */
export interface UpcomingCharge {
  /** The reader's country, ISO alpha-2. */
  country: string
  termMonths: TermMonths
  isDebit: boolean
  /** Compared with the price of the last term. */
  price: 'same' | 'higher' | 'lower'
  /** Null if unknown; then each charge counts as the end of a period. */
  contractOn: Day | null
  /** The day it is due. */
  cycleOn: Day
}

/** How the amount to charge compares with what the last term cost. */
export function priceStep(amount: number, last: number): UpcomingCharge['price'] {
  if (amount === last) return 'same'
  return amount > last ? 'higher' : 'lower'
}

/** The days of a charge's notice; null if there is no notice. Equivalent to `noticeSql`. */
export function noticeOf(
  charge: UpcomingCharge,
  rules: readonly NoticeRule[] = noticeRules,
): Omit<NoticeDays, 'max'> | null {
  const applicable = spansOf(rules).filter((rule) => ruleApplies(rule, charge))
  if (applicable.length === 0) return null
  const longest = (which: 'usual' | 'min') => Math.max(...applicable.map(({ days }) => days[which]))
  return { usual: longest('usual'), min: longest('min') }
}

/**
 * No notice is given earlier than this many days before its charge. Computed from one example charge per rule, chosen so that as many other rules as
 * possible also apply.
 */
export const maxNoticeDays = Math.max(
  ...noticeRules.map(({ country = '', from }) => {
    const charge = {
      country,
      termMonths: 12,
      isDebit: true,
      price: 'higher',
      contractOn: null,
      cycleOn: from,
    } as const
    return noticeOf(charge)?.usual ?? 0
  }),
)

/** How many days before its charge a renewal without a notice is planned. */
export const unannouncedLeadDays = 7

/** Every charge, whatever its notice, is planned at least this many days ahead. */
export const minLeadDays = Math.min(unannouncedLeadDays, ...noticeRules.map(({ days }) => days.usual))

function ruleApplies(rule: RuleSpan, charge: UpcomingCharge): boolean {
  return (
    rule.from <= charge.cycleOn &&
    (rule.until === null || charge.cycleOn < rule.until) &&
    (rule.country === undefined || rule.country === charge.country) &&
    rule.minTermMonths <= charge.termMonths &&
    (!rule.isDebit || charge.isDebit) &&
    (rule.price === undefined || rule.price === charge.price) &&
    (rule.everyMonths === undefined || endsPeriod(charge, rule.everyMonths))
  )
}

/**
 * Whether a charge ends a period of this many months since the contract. If no term begins with the next period, the last charge before it counts.
 */
function endsPeriod({ contractOn, cycleOn, termMonths }: UpcomingCharge, months: number): boolean {
  if (contractOn === null) return true
  const passed = monthsOf(cycleOn) - monthsOf(contractOn)
  return Math.floor(passed / months) > Math.floor(Math.max(passed - termMonths, 0) / months)
}

const monthsOf = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

export type RuleSpan = NoticeRule & { until: Day | null }

/** Each rule with the day on which the next rule of its name replaces it. */
export function spansOf(rules: readonly NoticeRule[]): RuleSpan[] {
  return rules.map((rule) => {
    const later = rules.filter(({ name, from }) => name === rule.name && from > rule.from).map(({ from }) => from)
    return { ...rule, until: later.sort()[0] ?? null }
  })
}
