/** The password of a test order; it is not stored. */
export const samplePassword = 'sample-password'

/** Sample buyer details for a preview, so that a test order needs no typing; the address does not exist. */
export const sampleBuyer: Readonly<Record<string, string>> = {
  title: 'Ms',
  firstName: 'Test',
  lastName: 'Buyer',
  email: 'test.buyer@example.com',
  confirmEmail: 'test.buyer@example.com',
  'billing.addressOne': '1 Example Street',
  'billing.city': 'Exampleton',
  'billing.postCode': 'SW1A 1AA',
}
