/**
 * The last delivered email to an address, apart from when it was tried again: a delivery does not excuse a later complaint. Where the moment in
 * reset_at is that of an email that was reported as delivered, it was one.
 */
export const deliveredMarks = `
ALTER TABLE address_marks ADD COLUMN delivered_at {moment};
UPDATE address_marks SET delivered_at = reset_at, reset_at = NULL WHERE reset_at IS NOT NULL AND EXISTS (
  SELECT 1 FROM delivery_events v WHERE v.publisher_id = address_marks.publisher_id AND v.address_key = address_marks.address_key
    AND v.kind = 'delivered' AND v.mail_sent_at = address_marks.reset_at);
`
