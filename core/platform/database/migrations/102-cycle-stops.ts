/** Stops of the renewal series for a single end, in addition to permanent ones. */
export const cycleStops = `
/* The last day of the term whose efforts are stopped; null: all of them. */
ALTER TABLE reminder_stops ADD COLUMN cycle_on {day};
`
