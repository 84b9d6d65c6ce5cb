/** The language an order was sent in, and the one a buyer last used: their mails are written in it. NULL: not known, which is English. */
export const buyerLanguages = `
ALTER TABLE orders ADD COLUMN language VARCHAR(8);
ALTER TABLE buyers ADD COLUMN language VARCHAR(8);
`
