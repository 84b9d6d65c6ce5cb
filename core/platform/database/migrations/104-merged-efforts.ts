/** The target of an effort's link whose reader was merged into one with the same effort. */
export const mergedEfforts = `
/* The survivor's effort; null: it is its own. */
ALTER TABLE reader_efforts ADD COLUMN merged_into {ref};
`
