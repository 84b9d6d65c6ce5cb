/**
 * The anchor day of the month from the first term, from which the ends of all later terms are counted. No row is filled in here: where it
 * is null the next purchase uses the start's day of the month if the running end matches it (31/01 to 28/02 does), else the end's own, and
 * stores it.
 */
export const lastDay = `
ALTER TABLE readers ADD COLUMN sub_anchor_day {int};
ALTER TABLE reader_backups ADD COLUMN sub_anchor_day {int};
`
