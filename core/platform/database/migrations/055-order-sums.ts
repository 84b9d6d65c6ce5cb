const table = `
CREATE TABLE order_sums (
  order_id {ref} NOT NULL PRIMARY KEY REFERENCES orders (id),
  publisher_id {ref} NOT NULL,
  publication_id {ref} NOT NULL,
  ordered_on {day} NOT NULL,
  currency CHAR(3) NOT NULL,
  net {money} NOT NULL,
  refunded {money} NOT NULL,
  fulfilled {money} NOT NULL,
  liability {money} NOT NULL,
  /* The day at whose end they were computed: they hold from then on. */
  computed_for {day} NOT NULL,
  /* The first day at whose end they are others; null: never. */
  changes_on {day}
);
`

interface Texts {
  /** The day at whose end the totals are computed, and the next one. */
  asOf: string
  next: string
  lastOfMonth: string
  monthNumber: (day: string) => string
  dayOfMonth: (day: string) => string
  /** The first day of the month n months after the start's, and that day plus some days or a month. */
  month: string
  plus: (days: string) => string
  plusMonth: string
  least: string
  greatest: string
}

/** On one line, as a migration requires of a statement for one engine. */
const fill = (on: Texts) =>
  `
INSERT INTO order_sums (order_id, publisher_id, publication_id, ordered_on, currency, net, refunded, fulfilled, liability, computed_for, changes_on)
WITH today AS (
  SELECT ${on.asOf} AS as_of, ${on.monthNumber(on.next)} AS next_month,
    CASE WHEN ${on.next} = ${on.lastOfMonth} THEN 31 ELSE ${on.dayOfMonth(on.next)} END AS next_day
), terms AS (
  SELECT order_id, publisher_id, publication_id, kind, entered_on, amount, as_of, next_month,
    CASE WHEN term_months >= 1 AND service_start_on IS NOT NULL AND (service_end_on IS NULL OR service_end_on > as_of) THEN term_months END AS months,
    COALESCE(monthly_amount, amount / NULLIF(term_months, 0)) AS monthly, service_start_on AS start_on, service_end_on AS end_on,
    COALESCE(anchor_day, ${on.dayOfMonth('service_start_on')}) AS anchor_day,
    ${on.greatest}(0, next_month - ${on.monthNumber('service_start_on')} -
      CASE WHEN COALESCE(anchor_day, ${on.dayOfMonth('service_start_on')}) > next_day THEN 1 ELSE 0 END) AS elapsed
  FROM ledger_entries CROSS JOIN today WHERE kind <> 'fee'
), months AS (
  SELECT terms.*, CASE WHEN months > elapsed AND amount <> 0 THEN ${on.month} END AS month FROM terms
), parts AS (
  SELECT months.*, CASE WHEN months > elapsed THEN elapsed * monthly ELSE amount END AS earned, CASE WHEN entered_on > as_of THEN entered_on
    WHEN month IS NOT NULL THEN ${on.least}(COALESCE(end_on, ${on.plusMonth}), ${on.plus('anchor_day - 2')}, ${on.plusMonth}) END AS changes_on
  FROM months
)
SELECT m.order_id, m.publisher_id, m.publication_id, o.ordered_on, o.currency, m.net, m.refunded, m.fulfilled, m.net - m.fulfilled, m.as_of, m.changes_on
FROM (SELECT order_id, publisher_id, publication_id, COALESCE(SUM(CASE WHEN entered_on <= as_of THEN amount END), 0) AS net,
    COALESCE(SUM(CASE WHEN entered_on <= as_of AND kind <> 'sale' THEN -amount END), 0) AS refunded,
    COALESCE(SUM(CASE WHEN entered_on <= as_of THEN earned END), 0) AS fulfilled, MAX(as_of) AS as_of, MIN(changes_on) AS changes_on
  FROM parts GROUP BY order_id, publisher_id, publication_id) m
JOIN orders o ON o.id = m.order_id ORDER BY m.order_id;`.replaceAll(/\s+/g, ' ')

const sqlite: Texts = {
  asOf: `date('now', '-2 days')`,
  next: `date('now', '-1 day')`,
  lastOfMonth: `date('now', '-1 day', 'start of month', '1 month', '-1 day')`,
  monthNumber: (day) => `(CAST(substr(${day}, 1, 4) AS INTEGER) * 12 + CAST(substr(${day}, 6, 2) AS INTEGER))`,
  dayOfMonth: (day) => `CAST(substr(${day}, 9, 2) AS INTEGER)`,
  month: `date(start_on, 'start of month', (elapsed + 1) || ' months')`,
  plus: (days) => `date(month, (${days}) || ' days')`,
  plusMonth: `date(month, '1 month', '-2 days')`,
  least: 'min',
  greatest: 'max',
}

const postgres: Texts = {
  asOf: 'CURRENT_DATE - 2',
  next: '(CURRENT_DATE - 1)',
  lastOfMonth: `CAST(date_trunc('month', CURRENT_DATE - 1) + interval '1 month' AS date) - 1`,
  monthNumber: (day) => `CAST(EXTRACT(YEAR FROM ${day}) * 12 + EXTRACT(MONTH FROM ${day}) AS INTEGER)`,
  dayOfMonth: (day) => `CAST(EXTRACT(DAY FROM ${day}) AS INTEGER)`,
  month: `CAST(date_trunc('month', start_on) + (elapsed + 1) * interval '1 month' AS date)`,
  plus: (days) => `(month + ${days})`,
  plusMonth: `(CAST(month + interval '1 month' AS date) - 2)`,
  least: 'LEAST',
  greatest: 'GREATEST',
}

/**
 * The totals of each order's entries, by which the sales ledger is sorted and summed. Computed for a day that is over in every time zone,
 * by the rule of core/ledger/liability.rules.ts; later days update them. Each index contains the filter columns of a page, or of a total.
 */
export const orderSums = `${table}
{sqlite} ${fill(sqlite)}
{postgres} ${fill(postgres)}
${['net', 'refunded', 'fulfilled', 'liability']
  .map(
    (sum) =>
      `CREATE INDEX order_sums_${sum} ON order_sums (publisher_id, ${sum}, order_id, publication_id, ordered_on);\n`,
  )
  .join('')}
CREATE INDEX order_sums_day ON order_sums (publisher_id, ordered_on, order_id, publication_id, currency, net, refunded, fulfilled);
CREATE INDEX order_sums_computed ON order_sums (publisher_id, computed_for);
CREATE INDEX order_sums_changes ON order_sums (changes_on, publisher_id) WHERE changes_on IS NOT NULL;
{postgres} ALTER TABLE order_sums SET (autovacuum_vacuum_scale_factor = 0.02);
ANALYZE order_sums;
`
