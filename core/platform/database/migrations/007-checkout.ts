/** Provider data of pending payments, and gift orders. */
export const checkout = `
/* pending, accepted, paid, declined, cancelled, failed, refunded or mismatch. */
ALTER TABLE payments ADD COLUMN mandate_reference VARCHAR(200);
ALTER TABLE payments ADD COLUMN account_last_four VARCHAR(4);
ALTER TABLE payments ADD COLUMN charged_on {day};
ALTER TABLE payment_events ADD COLUMN order_id {ref};
/* For a gift: where to tell the one who gets it, and what the giver writes. */
ALTER TABLE orders ADD COLUMN gift {json};
ALTER TABLE accounts ADD COLUMN paypal_webhook_id VARCHAR(100);
/* Sealed: signs what a browser takes to Secure Trading's page and what its notifications say. */
ALTER TABLE accounts ADD COLUMN secure_trading_site_password TEXT;
`
