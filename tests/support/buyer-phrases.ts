import { unknownIssueMessage } from '#core/back-issues/issue-problems.rules.ts'
import { buyerTexts } from '#core/buyers/buyer-texts.rules.ts'
import { phraseTemplates } from '#core/kernel/phrases.ts'
import { orderTexts } from '#core/orders/order-form-problems.rules.ts'
import { linkTexts, wrongAnswers } from '#core/orders/renewal-link.ts'
import { paymentTypes } from '#core/payment-methods/payment-methods.rules.ts'
import { postCodeTexts } from '#core/postcodes/post-code.rules.ts'
import { promoMessages } from '#core/pricing/discount.rules.ts'
import { productNames, termLengths, termName } from '#core/pricing/plan-code.rules.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { closedMessage } from '#core/storefronts/storefront.rules.ts'

/** The core's own tables of texts that a buyer may read: always included when they change. */
const fromTables: readonly string[] = [
  ...phraseTemplates,
  ...Object.values(buyerTexts),
  ...Object.values(linkTexts),
  ...Object.values(orderTexts),
  ...Object.values(passwordTexts),
  ...Object.values(paymentTypes),
  ...Object.values(postCodeTexts),
  ...Object.values(productNames),
  ...Object.values(promoMessages),
  ...optOuts.map(({ label }) => label),
  ...termLengths.map(termName),
  ...Object.values(wrongAnswers),
  closedMessage,
  unknownIssueMessage,
]

/** Texts of the core for buyers in other places, word for word. A test looks for each of them there. */
export const writtenPhrases: readonly string[] = [
  // addresses
  'Postcode',
  'ZIP code',
  'Postal code',
  'Eircode',
  'State',
  'Province',
  'Prefecture',
  'Address look-up is not available here',
  'Addresses cannot be looked up at the moment',
  'Please enter the address manually',
  // input
  'This is one of the most common passwords. Please choose another one.',
  'The passwords must match.',
  'Please fix the errors and retry',
  'Something went wrong on our side. Please try again.',
  'Too many attempts. Please wait a minute and try again.',
  'Please log in',
  'Please confirm that you are not a robot',
  'Please confirm again that you are not a robot',
  // the order
  'Choose a subscription',
  'Type the code first',
  'The form has expired. Please reload the page.',
  'This subscription is not available. Please choose another one.',
  'This form was sent before with other details. Please reload the page and order again.',
  'This order is being paid in another window. Finish it there, or check your email before you order again.',
  'This order was cancelled and no money was taken. Please order again.',
  'Sorry your payment has been declined. Please try with another payment method',
  'The payment provider is not responding at the moment. No money was taken.',
  'The payment provider did not respond as it should',
  'Please try again in a moment, or choose another payment method.',
  'This amount is too small for this payment method. Please choose another.',
  'This payment method needs JavaScript. Please switch it on, or choose another.',
  // the account
  'The new card was not confirmed. The previous card is still in use.',
  'Enter the email you log in with',
  'Enter your current password',
  'The email or the password is wrong',
  'The current password is wrong',
  'This is your current password. Choose another one.',
  'This account was changed somewhere else a moment ago. Please try again.',
  'This is not the email of your account. Log out to order with another one.',
  'This email already has an account here. Enter its password to buy as a returning customer.',
  'There is nothing to deliver yet. You can enter an address with your first order.',
  'Your choices are saved with a subscription, and you do not have one yet.',
]

/** All texts of the core for buyers, to be translated. */
export const buyerPhrases: ReadonlySet<string> = new Set([...fromTables, ...writtenPhrases])
