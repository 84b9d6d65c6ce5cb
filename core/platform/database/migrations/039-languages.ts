/** The language of an order, and the one a buyer last used: their mails are written in it. NULL: unknown, which is English. */
export const buyerLanguages = `
ALTER TABLE orders ADD COLUMN language VARCHAR(8);
ALTER TABLE buyers ADD COLUMN language VARCHAR(8);
`
