/** The clean-up searches every hour for orders that were cancelled or declined and still have the data of their buyer: there are few. */
export const abandonedDrafts = `
CREATE INDEX orders_abandoned_drafts ON orders (updated_at)
  WHERE buyer_draft IS NOT NULL AND state IN ('cancelled', 'declined');
`
