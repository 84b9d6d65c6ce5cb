/** A second payment of an order that was paid already: the hosted page of Secure Trading can be paid twice. Staff refund it there. */
export const secondPayments = `
ALTER TABLE payments ADD COLUMN second_reference VARCHAR(200);
ALTER TABLE payments ADD COLUMN second_found_at {moment};
`
