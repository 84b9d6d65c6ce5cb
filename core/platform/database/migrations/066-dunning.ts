/** When a reader was notified of a failed renewal, or of a card that expires before one. */
export const dunning = `
/* The last day on which the reader was told that this is not paid, or cannot be by this card. */
ALTER TABLE renewals ADD COLUMN told_on {day};
`
