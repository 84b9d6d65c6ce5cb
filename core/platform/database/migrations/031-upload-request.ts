/** The column with an upload's column map is named as in the code. */
export const uploadRequest = `
ALTER TABLE uploads RENAME COLUMN wish TO request;
`
