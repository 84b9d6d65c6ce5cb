/** On one line, as a migration requires of a statement for one engine. */
const fill = (overOn: string, dayOfStart: string, latest: string) =>
  `
INSERT INTO ledger_days (publisher_id, publication_id, currency, product, day, sales, sold, refunded, earned, sold_vat, refunded_vat, earned_vat)
WITH RECURSIVE numbers (n) AS (
  SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < (SELECT COALESCE(MAX(term_months), 0) FROM ledger_entries)
), entries AS (
  SELECT publisher_id, publication_id, currency, COALESCE(product, '') AS product, entered_on, kind, amount, vat, amount - vat AS net,
    CASE WHEN term_months >= 1 AND service_start_on IS NOT NULL THEN term_months END AS months,
    COALESCE(monthly_amount, amount / NULLIF(term_months, 0)) AS monthly,
    service_start_on AS start_on, service_end_on AS end_on, COALESCE(anchor_day, ${dayOfStart}) AS anchor_day
  FROM ledger_entries WHERE kind <> 'fee' AND vat <> 0
), moved AS (
  SELECT publisher_id, publication_id, currency, product, entered_on AS day, CASE WHEN kind = 'sale' THEN vat ELSE 0 END AS sold_vat,
    CASE WHEN kind = 'sale' THEN 0 ELSE -vat END AS refunded_vat, CASE WHEN months IS NULL THEN vat ELSE 0 END AS earned_vat
  FROM entries
  UNION ALL
  SELECT publisher_id, publication_id, currency, product,
    ${latest}(entered_on, CASE WHEN end_on < over_on THEN end_on ELSE over_on END), 0, 0,
    CASE WHEN n = months THEN amount - monthly * (months - 1) - net ELSE monthly - n * monthly * net / amount END
      + (n - 1) * monthly * net / amount
  FROM (SELECT e.*, n, ${overOn} AS over_on FROM entries e JOIN numbers ON n <= months) parts
)
SELECT publisher_id, publication_id, currency, product, day, 0, 0, 0, 0, SUM(sold_vat), SUM(refunded_vat), SUM(earned_vat)
FROM moved GROUP BY publisher_id, publication_id, currency, product, day
HAVING SUM(sold_vat) <> 0 OR SUM(refunded_vat) <> 0 OR SUM(earned_vat) <> 0
ON CONFLICT (publisher_id, publication_id, currency, product, day) DO UPDATE
SET sold_vat = excluded.sold_vat, refunded_vat = excluded.refunded_vat, earned_vat = excluded.earned_vat;`.replaceAll(
    /\s+/g,
    ' ',
  )

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
 * The VAT in the ledger's stored totals, so that the schedule and the journals, which exclude VAT, are read from them. The earned part of
 * an entry excludes VAT proportionally, rounded towards zero at the end of each month, so that the last month takes the rest.
 */
export const ledgerVatDays = `
ALTER TABLE ledger_days ADD COLUMN sold_vat {money} NOT NULL DEFAULT 0;
ALTER TABLE ledger_days ADD COLUMN refunded_vat {money} NOT NULL DEFAULT 0;
ALTER TABLE ledger_days ADD COLUMN earned_vat {money} NOT NULL DEFAULT 0;
{sqlite} ${fill(overOn.sqlite, dayOfStart.sqlite, 'max')}
{postgres} ${fill(overOn.postgres, dayOfStart.postgres, 'GREATEST')}
`
