/** The order that replaced another one: a tab that still begins the payment of the old one is refused. */
export const replacedOrders = `
ALTER TABLE orders ADD COLUMN replaced_by {ref} REFERENCES orders (id);
CREATE INDEX orders_replaced ON orders (replaced_by) WHERE replaced_by IS NOT NULL;
`
