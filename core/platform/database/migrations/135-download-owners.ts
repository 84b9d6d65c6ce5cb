/** The process that sends a download: when it has ended, so has the download. */
export const downloadOwners = `
ALTER TABLE downloads ADD COLUMN owner VARCHAR(200);
`
