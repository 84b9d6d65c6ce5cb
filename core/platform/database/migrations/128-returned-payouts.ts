/**
 * A returned payout of Stripe was counted in the payout that had failed, as if its money were part of it. It belongs to the payout that a report
 * names for it, which the next report adds. What a closed month has posted stays as it is.
 */
export const returnedPayouts = `
UPDATE provider_lines SET payout_reference = NULL, payout_on = NULL
WHERE provider = 'stripe' AND kind = 'payout-returned' AND payout_reference = source_reference
  AND NOT EXISTS (SELECT 1 FROM ledger_close_states s
    WHERE s.publisher_id = provider_lines.publisher_id AND s.closed_until >= provider_lines.posted_on);
`
