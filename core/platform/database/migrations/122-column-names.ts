/** Columns of paused titles and of the last day of an offer are named as in the code. */
export const columnNames = `
ALTER TABLE publications RENAME COLUMN rested_at TO paused_at;
ALTER TABLE plan_changes RENAME COLUMN resting TO paused;
ALTER TABLE reader_efforts RENAME COLUMN good_until TO valid_until;
ALTER TABLE blanket_offers RENAME COLUMN good_until TO valid_until;
`
