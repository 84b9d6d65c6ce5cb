/**
 * Indexes for lists: the copies sold of a back issue were counted from all orders of the installation, the promo codes of a publication were picked
 * out of those made for one reader each, and the failed deliveries of a webhook out of all its deliveries.
 */
export const listIndexes = `
CREATE INDEX order_items_issue ON order_items (back_issue_id) WHERE back_issue_id IS NOT NULL;
CREATE INDEX promo_codes_list ON promo_codes (publication_id, id) WHERE reader_id IS NULL AND removed_at IS NULL;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, id) WHERE state = 'failed';
`
