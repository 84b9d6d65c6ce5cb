/** All errors of a rejected row: those after the first, as an array of objects with column, value and reason. */
export const rowProblems = `
ALTER TABLE upload_rejects ADD COLUMN further {json};
`
