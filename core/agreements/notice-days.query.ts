import { type Db, greatest, monthNumber } from '../dialect.ts'
import { earliestRuleDay, noticeRules, type RuleSpan, spansOf, type UpcomingCharge } from './notice-days.rules.ts'

/** The SQL expressions for the facts of a charge. Without a country, the rules of all countries apply, which gives an upper bound. */
type ChargeSql = Record<Exclude<keyof UpcomingCharge, 'country'>, string> & { country: string | null }

/**
 * `noticeOf` as SQL, to plan a whole day in one query. -1 means no notice, since 0 is a valid number of days. The expressions must come from code,
 * never from input. `as` turns the number of days into the SQL of the result; by default, it is the number itself.
 */
export function noticeSql(
  db: Db,
  charge: ChargeSql,
  which: 'usual' | 'min',
  as: (days: number) => string = String,
): string {
  // The longest notice first: the first rule that applies decides, and later ones are not evaluated.
  const rules = spansOf(noticeRules).toSorted((a, b) => b.days[which] - a.days[which])
  const cases = rules.map((rule) => `WHEN ${ruleAppliesSql(db, rule, charge)} THEN ${as(rule.days[which])}`)
  return `CASE ${cases.join(' ')} ELSE ${as(-1)} END`
}

function ruleAppliesSql(db: Db, rule: RuleSpan, charge: ChargeSql): string {
  const conditions = [
    `${charge.termMonths} >= ${rule.minTermMonths}`,
    ...(rule.from === earliestRuleDay ? [] : [`${charge.cycleOn} >= '${rule.from}'`]),
    ...(rule.until === null ? [] : [`${charge.cycleOn} < '${rule.until}'`]),
    ...(rule.country === undefined || charge.country === null ? [] : [`${charge.country} = '${rule.country}'`]),
    ...(rule.isDebit ? [charge.isDebit] : []),
    ...(rule.price === undefined ? [] : [`${charge.price} = '${rule.price}'`]),
    ...(rule.everyMonths === undefined ? [] : [endsPeriodSql(db, charge, rule.everyMonths)]),
  ]
  return conditions.map((condition) => `(${condition})`).join(' AND ')
}

function endsPeriodSql(db: Db, { contractOn, cycleOn, termMonths }: ChargeSql, months: number): string {
  const passed = `(${monthNumber(db, cycleOn)} - ${monthNumber(db, contractOn)})`
  return `${contractOn} IS NULL OR ${passed} / ${months} > ${greatest(db, [`${passed} - ${termMonths}`, '0'])} / ${months}`
}
