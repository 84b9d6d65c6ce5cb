/** When a cancelled renewal returned: its retries and the notice of its first decline count from then. */
export const returnedRenewals = `
ALTER TABLE renewals ADD COLUMN returned_at {moment};
`
