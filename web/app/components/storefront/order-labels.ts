import { addressLabels } from '#core/kernel/address-labels.rules.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'
import type { FieldPhrases } from '#core/kernel/phrases.ts'
import type { Translator } from '#core/kernel/translator.ts'
import type { StorefrontQuestion } from '#core/storefronts/storefront.rules.ts'
import { phrase } from '../../i18n/phrase.ts'

const labels: Record<string, string> = {
  plan: phrase('Subscription'),
  backIssues: phrase('At least one issue'),
  country: phrase('Your country'),
  title: phrase('Title'),
  firstName: phrase('First name'),
  lastName: phrase('Last name'),
  email: phrase('Email'),
  confirmEmail: phrase('Confirm email'),
  password: phrase('Password'),
  confirmPassword: phrase('Confirm password'),
  mobile: phrase('Mobile'),
  companyName: phrase('Company'),
  addressOne: phrase('Address line 1'),
  addressTwo: phrase('Address line 2'),
  addressThree: phrase('Address line 3'),
  city: phrase('Town or city'),
  giftEmail: phrase('Recipient’s email'),
  giftMessage: phrase('Your message'),
  promoCode: phrase('Promo code'),
  isSecondMeant: phrase('Yes, I want to order it anyway'),
  payment: phrase('How to pay'),
  cardNumber: phrase('Card number'),
}

/** What the labels of an order form's fields depend on: the country of its addresses, and the publication's questions. */
export interface LabelledForm {
  country: string
  questions: readonly StorefrontQuestion[]
}

/** The label of an order form's field, for use elsewhere on the page. */
export function labelOf(t: Translator, name: string, { country, questions }: LabelledForm): string {
  const [part, field = part] = name.split('.') as [string, string?]
  const { postCode, state } = addressLabels(country)
  const addressFieldLabels: Record<string, string> = { postCode, state: state?.label ?? 'State' }
  const question = part === 'answers' ? questions.find(({ key }) => key === field)?.text : undefined
  const label = question ?? t(addressFieldLabels[field] ?? labels[field] ?? field)
  return part === 'shipping' ? t('Delivery: {field}', { field: label }) : label
}

/** The messages for the error summary, with the field's name where "Required" alone would be unclear. */
export function summaryMessages(t: Translator, errors: FieldPhrases, form: LabelledForm): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, text]) => [
      name,
      text === 'Required' ? t('{field}: enter a value', { field: labelOf(t, name, form) }) : t.phrase(text),
    ]),
  )
}
