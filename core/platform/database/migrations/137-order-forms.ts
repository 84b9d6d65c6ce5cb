/** A hash of the form of an order by staff: by it the same form that is sent again is told from one that was corrected. */
export const orderForms = `
ALTER TABLE orders ADD COLUMN form_hash VARCHAR(64);
`
