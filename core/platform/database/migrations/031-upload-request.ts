/** What an upload was asked to do (its column map) is named as in the code. */
export const uploadRequest = `
ALTER TABLE uploads RENAME COLUMN wish TO request;
`
