/** Cells that the rows of an import were taken without. */
export const uploadLeftOut = `
ALTER TABLE uploads ADD COLUMN left_out {json};
`
