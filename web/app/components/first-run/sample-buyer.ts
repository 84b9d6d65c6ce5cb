/** The account that a test purchase would open: nothing is kept of it. */
export const samplePassword = 'sample-password'

/** Somebody to buy in a preview, so that trying it takes no typing: at an address that nobody has. */
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
