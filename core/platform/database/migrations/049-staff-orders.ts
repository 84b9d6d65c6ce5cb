/** Orders that staff enter: the channel, the user, and notes. */
export const staffOrders = `
/* storefront, phone or post. */
ALTER TABLE orders ADD COLUMN channel VARCHAR(20) NOT NULL DEFAULT 'storefront';
ALTER TABLE orders ADD COLUMN taken_by_id {ref};
ALTER TABLE orders ADD COLUMN staff_note VARCHAR(300) NOT NULL DEFAULT '';
`
