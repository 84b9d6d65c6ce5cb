/**
 * Indexes that hold all that the figures of the dashboard and of growth count, so that a million readers are counted without being read:
 * subscriptions by their first day, by their last with what was paid for them, and views of storefronts.
 */
export const readerTerms = `
CREATE INDEX readers_terms ON readers (publication_id, sub_type, sub_start_on, sub_end_on, is_deleted);
DROP INDEX IF EXISTS readers_end;
CREATE INDEX readers_end ON readers (publication_id, sub_end_on, is_deleted, sub_type, sub_currency, sub_paid, id);
CREATE INDEX page_views_days ON page_views (publication_id, viewed_on, views);
`
