/** Cells that an import left out of its rows. */
export const uploadLeftOut = `
ALTER TABLE uploads ADD COLUMN left_out {json};
`
