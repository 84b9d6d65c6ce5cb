import { notOnSale, notSoldThere, soldOut, unknownIssue } from '#core/back-issues/issue-problems.rules.ts'
import { buyerTexts } from '#core/buyers/buyer-texts.rules.ts'
import { orderTexts } from '#core/orders/order-form-problems.rules.ts'
import { paymentTypes } from '#core/payments/payment-methods.rules.ts'
import { promoMessages } from '#core/pricing/discount.rules.ts'
import { productNames, termLengths, termName } from '#core/pricing/plan-code.rules.ts'
import { closedMessage, noPaymentsMessage } from '#core/publications/storefront.rules.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { passwordTexts } from '#core/users/password-texts.rules.ts'

const publisher = { telephone: '{telephone}', emailAddress: '{email}' } as Parameters<typeof noPaymentsMessage>[0]

/** The core's own tables of texts that a buyer may read: they are here however they change. */
const fromTables: readonly string[] = [
  ...Object.values(buyerTexts),
  ...Object.values(orderTexts),
  ...Object.values(passwordTexts),
  ...Object.values(paymentTypes),
  ...Object.values(productNames),
  ...Object.values(promoMessages),
  ...optOuts.map(({ label }) => label),
  ...termLengths.map(termName),
  closedMessage,
  noPaymentsMessage(publisher),
  noPaymentsMessage({ ...publisher, telephone: '' }),
  ...[notOnSale, notSoldThere, soldOut].map((sentence) => sentence('{volume}')),
  unknownIssue,
]

/** The sentences that the core says to buyers in other places, with slots for what it puts in. A test looks for each of them there. */
export const writtenSentences: readonly string[] = [
  // addresses
  'Postcode',
  'Zip code',
  'Postal code',
  'Eircode',
  'State',
  'Province',
  'Prefecture',
  'Addresses are not looked up here',
  'Addresses cannot be looked up just now',
  'No addresses were found for {postCode}',
  'Please enter the address by hand',
  // what is typed
  'Must be {most} characters or fewer',
  'Must be at least {least} characters',
  'This is one of the passwords that people use most. Please choose another one.',
  'The passwords must match.',
  'Please fix the errors and retry',
  'Something went wrong on our side. Please try again.',
  'Too many tries. Please wait a minute and try again.',
  'Too many tries. Please wait {minutes} minutes and try again.',
  'Please log in',
  // the order
  'Choose a subscription',
  'Choose {most} issues at most',
  'Type the code first',
  'The form has expired. Please reload the page.',
  'This subscription is not on offer. Please choose another one.',
  'The price of {plan} is now {price}. Please check it and order again.',
  'The total is {total}. Please check it and order again.',
  'These issues are sold in another currency there: the total is {total}. Please check it and order again.',
  'Back issue: {volume}',
  '{count} back issues: {volumes}',
  '{title} is not sold in this country',
  'This form was sent before with other details. Please reload the page and order again.',
  'This order was cancelled and no money was taken. Please order again.',
  'Sorry your payment has been declined. Please try with another payment method',
  'The payment provider does not answer at the moment. No money was taken.',
  'The payment provider did not answer as it should',
  'Please try again in a moment, or choose another way to pay.',
  'This total is less than this way to pay can take. Please choose another way to pay.',
  'Paying this way needs JavaScript. Please switch it on, or choose another way to pay.',
  // the account
  'The new card was not confirmed. The card of before is kept.',
  'Enter the email you log in with',
  'Enter your current password',
  'The email or the password is not right',
  'The current password is not right',
  'This is your current password. Choose another one.',
  'This account was changed somewhere else a moment ago. Please try again.',
  'This is not the email of your account. Log out to order with another one.',
  'This email already has an account here. Enter its password to buy as a returning customer.',
  'There is nothing to deliver yet. The address is asked for with your first order.',
  'Your choices are kept with a subscription, and you have none yet.',
]

/** Every English sentence of the core that a buyer can meet, for the translations to know. */
export const coreSentences: ReadonlySet<string> = new Set([...fromTables, ...writtenSentences])
