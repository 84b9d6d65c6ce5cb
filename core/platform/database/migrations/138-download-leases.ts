/** Until when a download counts as running without a sign of the process that sends it, which may have run on another machine. */
export const downloadLeases = `
ALTER TABLE downloads ADD COLUMN lease_until {moment};
`
