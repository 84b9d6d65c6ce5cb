const table = `
CREATE TABLE ledger_days (
  publisher_id {ref} NOT NULL,
  publication_id {ref} NOT NULL,
  currency CHAR(3) NOT NULL,
  /* Empty for back issues. */
  product VARCHAR(10) NOT NULL,
  day {day} NOT NULL,
  sales {int} NOT NULL,
  sold {money} NOT NULL,
  refunded {money} NOT NULL,
  earned {money} NOT NULL,
  PRIMARY KEY (publisher_id, publication_id, currency, product, day)
) {clustered};
`

/** On one line, as a migration requires of a statement for one engine. */
const fill = (overOn: string, dayOfStart: string, latest: string) =>
  `
INSERT INTO ledger_days (publisher_id, publication_id, currency, product, day, sales, sold, refunded, earned)
WITH RECURSIVE numbers (n) AS (
  SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < (SELECT COALESCE(MAX(term_months), 0) FROM ledger_entries)
), entries AS (
  SELECT publisher_id, publication_id, currency, COALESCE(product, '') AS product, entered_on, kind, amount,
    CASE WHEN term_months >= 1 AND service_start_on IS NOT NULL THEN term_months END AS months,
    COALESCE(monthly_amount, amount / NULLIF(term_months, 0)) AS monthly,
    service_start_on AS start_on, service_end_on AS end_on, COALESCE(anchor_day, ${dayOfStart}) AS anchor_day
  FROM ledger_entries WHERE kind <> 'fee'
), moved AS (
  SELECT publisher_id, publication_id, currency, product, entered_on AS day,
    CASE WHEN kind = 'sale' THEN 1 ELSE 0 END AS sales, CASE WHEN kind = 'sale' THEN amount ELSE 0 END AS sold,
    CASE WHEN kind = 'sale' THEN 0 ELSE -amount END AS refunded, CASE WHEN months IS NULL THEN amount ELSE 0 END AS earned
  FROM entries
  UNION ALL
  SELECT publisher_id, publication_id, currency, product,
    ${latest}(entered_on, CASE WHEN end_on < over_on THEN end_on ELSE over_on END), 0, 0, 0,
    CASE WHEN n = months THEN amount - monthly * (months - 1) ELSE monthly END
  FROM (SELECT e.*, n, ${overOn} AS over_on FROM entries e JOIN numbers ON n <= months) parts
)
SELECT publisher_id, publication_id, currency, product, day, SUM(sales), SUM(sold), SUM(refunded), SUM(earned)
FROM moved GROUP BY publisher_id, publication_id, currency, product, day
HAVING SUM(sales) <> 0 OR SUM(sold) <> 0 OR SUM(refunded) <> 0 OR SUM(earned) <> 0;`.replaceAll(/\s+/g, ' ')

/** The day before the n-th month of a term begins: by the anchor day, or the last day of a shorter month. */
const first = {
  sqlite: `date(start_on, 'start of month', n || ' months')`,
  postgres: `CAST(date_trunc('month', start_on) + n * interval '1 month' AS date)`,
}
const dayOfStart = {
  sqlite: `CAST(substr(service_start_on, 9, 2) AS INTEGER)`,
  postgres: `CAST(EXTRACT(DAY FROM service_start_on) AS INTEGER)`,
}
const overOn = {
  sqlite: `date(min(date(${first.sqlite}, (anchor_day - 1) || ' days'), date(${first.sqlite}, '1 month', '-1 day')), '-1 day')`,
  postgres: `LEAST(${first.postgres} + anchor_day - 1, CAST(${first.postgres} + interval '1 month' AS date) - 1) - 1`,
}

/**
 * The ledger's totals by day, title, currency and product: sold, refunded and earned. Computed from existing entries by the rule of
 * core/ledger/ledger-days.rules.ts: a month is earned at the end of the day before the next begins, at the latest on the last day of the
 * term, at the earliest on the day of the entry.
 */
export const ledgerDays = `${table}
{sqlite} ${fill(overOn.sqlite, dayOfStart.sqlite, 'max')}
{postgres} ${fill(overOn.postgres, dayOfStart.postgres, 'GREATEST')}
`
