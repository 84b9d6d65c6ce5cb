/** The VAT number of a business customer, and as it was on the day of a VAT line. */
export const businessBuyers = `
ALTER TABLE orders ADD COLUMN vat_number VARCHAR(20) NOT NULL DEFAULT '';
ALTER TABLE vat_lines ADD COLUMN buyer_vat_number VARCHAR(20) NOT NULL DEFAULT '';
`
