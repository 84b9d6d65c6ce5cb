/** Webhook messages of the platform's own payment provider about publishers' plans, each stored once. */
export const planEvents = `
CREATE TABLE plan_events (
  id {id},
  /* The provider's own id of it. */
  event_id VARCHAR(200) NOT NULL UNIQUE,
  event_type VARCHAR(100) NOT NULL,
  /* The ids of the payment, the invoice, the subscription and the customer it is about. */
  about {json} NOT NULL,
  received_at {moment} NOT NULL,
  handled_at {moment}
);
CREATE INDEX plan_events_received ON plan_events (received_at);
`
