/**
 * What the payout journals of a month posted when it was closed, and all months until then: lines that are read later may belong to its payouts.
 * Null for a month that was closed before this was stored: its journals are computed from the lines.
 */
export const postedPayouts = `
ALTER TABLE ledger_closes ADD COLUMN payouts {json};
`
