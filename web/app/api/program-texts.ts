import { userTypes } from '#core/access/user-types.ts'
import { countryCodeMessage, unknownCountryMessage } from '#core/kernel/countries.ts'
import { orderKeyTexts } from '#core/orders/order-form.input.ts'
import { orderTexts } from '#core/orders/order-form-problems.rules.ts'
import { chosenRefundMethods, refundScopes } from '#core/orders/refund.rules.ts'

/** What a program is told where a person is told to choose from what the page shows, or to reload the page. */
export const programTexts: Readonly<Record<string, string>> = {
  [orderKeyTexts.invalid]: 'Must be 16 to 64 letters, digits, “-” and “_”',
  [orderKeyTexts.used]: 'This idempotencyKey was sent before with other details. Send a new one for another order.',
  [orderTexts.noMethod]: 'Must be a payment method that this storefront accepts, such as stripe-card or paypal',
  [unknownCountryMessage]: countryCodeMessage,
  'Choose a subscription': 'Must be the code of a plan that this storefront sells, such as 1PN29.99',
  'Choose one of the plans': 'Must be the key of a plan on sale, such as standard-3',
  'Choose a role': `Must be one of ${userTypes.join(', ')}`,
  'Choose a column from the list': 'Must be one of the columns that /api/docs lists for this call',
  'Choose a column of this list, with - before it for descending':
    'Must be one of the columns that /api/docs lists for this call, with - before it for descending',
  'Tick at least one product': 'Must include at least one product',
  'Choose what to refund': `Must be one of ${refundScopes.join(', ')}`,
  'Choose how the money goes back': `Must be one of ${chosenRefundMethods.join(', ')}, or blank`,
  'This field is now called method. On a page, reload it and choose again.': 'This field is now called method.',
  'Choose another key, or reload the page.': 'Send another key.',
  'Must be 8 to 64 letters, digits, “-” and “_”. On a page, reload it.': 'Must be 8 to 64 letters, digits, “-” and “_”',
}
