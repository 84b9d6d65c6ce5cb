/**
 * The first term's own day of the month, from which the ends of all later terms are counted. No row is filled here: where it is null the
 * next purchase takes the start's day of the month if the running end stands on it (31/01 to 28/02 does), else the end's own, and stores it.
 */
export const lastDay = `
ALTER TABLE readers ADD COLUMN sub_anchor_day {int};
ALTER TABLE reader_backups ADD COLUMN sub_anchor_day {int};
`
