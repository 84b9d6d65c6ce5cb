/** When a reader was told of a renewal that failed, or of a card that expires before it. */
export const dunning = `
/* The last day on which the reader was told that this is not paid, or cannot be by this card. */
ALTER TABLE renewals ADD COLUMN told_on {day};
`
