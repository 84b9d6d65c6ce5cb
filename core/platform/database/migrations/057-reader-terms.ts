/**
 * Covering indexes for the figures of the dashboard and of growth, so that a million readers are counted without reading their rows:
 * subscriptions by their first day, by their last with the amount paid, and views of storefronts.
 */
export const readerTerms = `
CREATE INDEX readers_terms ON readers (publication_id, sub_type, sub_start_on, sub_end_on, is_deleted);
DROP INDEX IF EXISTS readers_end;
CREATE INDEX readers_end ON readers (publication_id, sub_end_on, is_deleted, sub_type, sub_currency, sub_paid, id);
CREATE INDEX page_views_days ON page_views (publication_id, viewed_on, views);
`
