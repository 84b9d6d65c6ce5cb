/** Where the link of an effort leads whose reader was merged into one that had the same effort. */
export const mergedEfforts = `
/* The survivor's effort; null: it is its own. */
ALTER TABLE reader_efforts ADD COLUMN merged_into {ref};
`
