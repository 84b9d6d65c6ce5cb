/**
 * Invoices whose subscription begins when they are paid. The publisher's VAT numbers on the day of a VAT line, which the documents of that
 * day show whatever is set later; older lines get the current ones, which they have shown so far. Refunded orders, to subtract from the totals of
 * all others.
 */
export const invoiceTerms = `
ALTER TABLE invoices ADD COLUMN begins_when_paid {flag} NOT NULL DEFAULT {no};
ALTER TABLE vat_lines ADD COLUMN vat_number VARCHAR(20) NOT NULL DEFAULT '';
ALTER TABLE vat_lines ADD COLUMN oss_number VARCHAR(20) NOT NULL DEFAULT '';
UPDATE vat_lines SET
  vat_number = COALESCE((SELECT s.vat_number FROM vat_settings s WHERE s.publisher_id = vat_lines.publisher_id), ''),
  oss_number = COALESCE((SELECT s.oss_number FROM vat_settings s WHERE s.publisher_id = vat_lines.publisher_id), '');
CREATE INDEX orders_given_back ON orders (publisher_id, id) WHERE state IN ('refunded', 'reversed');
`
