/** All that is wrong with a rejected row: its further problems beside the first, an array of objects with column, value and reason. */
export const rowProblems = `
ALTER TABLE upload_rejects ADD COLUMN further {json};
`
