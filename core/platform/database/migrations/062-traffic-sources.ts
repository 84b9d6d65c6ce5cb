/** The traffic source of an order, from the link that the visitor followed. */
export const trafficSources = `
ALTER TABLE orders ADD COLUMN utm_source VARCHAR(60) NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN utm_medium VARCHAR(60) NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN utm_campaign VARCHAR(60) NOT NULL DEFAULT '';
CREATE INDEX orders_traffic_source ON orders (publication_id, ordered_on) WHERE utm_source <> '';
`
