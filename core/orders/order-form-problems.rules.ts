import { addressLabels } from '../kernel/address-labels.rules.ts'
import { isEmailAddress, normalEmail } from '../kernel/email.rules.ts'
import { type FieldPhrases, type Phrase, phraseOf, tooLongPhrase } from '../kernel/phrases.ts'
import type { PaidProvider } from '../payment-methods/payment-methods.rules.ts'
import { postCodeProblem } from '../postcodes/post-code.rules.ts'
import { orderLimits } from './order-limits.rules.ts'

/** The messages for a refused order form, the same on the page and on the server. */
export const orderTexts = {
  required: 'Required',
  badEmail: 'Invalid email address',
  noGiftEmail: 'Enter an email address to send the message to',
  emailsDiffer: 'Emails must match',
  passwordsDiffer: 'Passwords must match',
  notQualified: 'Sorry, you do not qualify for a free subscription',
  noMethod: 'Choose how to pay',
  noIssue: 'Choose at least one issue',
} as const

/** The requirements of an order form, depending on the choices and on who fills it in. */
export interface OrderFormRequirements {
  /** A form for back issues: at least one is to be ticked, and an address needs no town. */
  isForIssues: boolean
  /** Both addresses are in it. */
  country: string
  /** Something is posted: there is a delivery section. */
  isPosted: boolean
  /** No form of a renewal link: its address is on file, and the server checks one that was changed. */
  checksPostCode: boolean
  /** Not logged in: an account is made, or its password is required. */
  needsPassword: boolean
  minPasswordLength: number
  questions: readonly { key: string; kind: 'yesNo' | 'text' }[]
  /** The payment methods that can be chosen; null if nothing is paid. */
  methods: readonly PaidProvider[] | null
  /** The logged-in buyer has what is ordered, and must confirm that they want more of it. */
  isSecond: boolean
}

/** The fields of a form as text by name; ticks are 'true' or 'false', the ids of ticked issues are joined by commas. */
export type TypedOrder = Readonly<Record<string, string>>

/**
 * What still prevents an order, by field and in the order of the form; empty when it is complete. The server refuses the same, except a missing
 * state, which programs may leave out, and also what only it can know.
 */
export function orderFormProblems(typed: TypedOrder, requirements: OrderFormRequirements): FieldPhrases {
  const problems: FieldPhrases = {}
  const read = (name: string) => (typed[name] ?? '').trim()
  const check = (name: string, problem: Phrase | undefined) => {
    if (problem) problems[name] ??= problem
  }
  const text = (name: string, max: number, isNeeded = false) => {
    check(name, isNeeded && read(name) === '' ? orderTexts.required : tooLong(read(name), max))
  }
  const address = (prefix: string) => {
    for (const field of addressParts)
      text(`${prefix}.${field}`, orderLimits[field], requiredParts(requirements).includes(field))
  }

  if (requirements.isForIssues) check('backIssues', read('backIssues') === '' ? orderTexts.noIssue : undefined)
  text('title', orderLimits.title)
  text('firstName', orderLimits.firstName, true)
  text('lastName', orderLimits.lastName, true)
  text('email', orderLimits.email, true)
  if (read('email') !== '') check('email', isEmailAddress(normalEmail(read('email'))) ? undefined : orderTexts.badEmail)
  if (requirements.needsPassword) checkRepeated(problems, typed, requirements.minPasswordLength)
  text('mobile', orderLimits.mobile)
  address('billing')
  if (requirements.isPosted) {
    const isGift = typed.isGift === 'true'
    const isElsewhere = isGift || typed.isDeliveredToBilling === 'false'
    if (isElsewhere) {
      text('shipping.title', orderLimits.title)
      text('shipping.firstName', orderLimits.firstName, isGift)
      text('shipping.lastName', orderLimits.lastName, isGift)
      address('shipping')
    }
    const postCode = isElsewhere ? 'shipping.postCode' : 'billing.postCode'
    if (requirements.checksPostCode) check(postCode, postCodeProblem(read(postCode), requirements.country))
    if (isGift) {
      text('giftEmail', orderLimits.email)
      if (read('giftEmail') !== '')
        check('giftEmail', isEmailAddress(normalEmail(read('giftEmail'))) ? undefined : orderTexts.badEmail)
      else check('giftEmail', read('giftMessage') === '' ? undefined : orderTexts.noGiftEmail)
      text('giftMessage', orderLimits.giftMessage)
    }
  }
  for (const { key, kind } of requirements.questions) {
    const name = `answers.${key}`
    text(name, orderLimits.answer, true)
    if (kind === 'yesNo') check(name, read(name).toLowerCase() === 'yes' ? undefined : orderTexts.notQualified)
  }
  if (requirements.methods) {
    const chosen = requirements.methods.find((method) => method === read('payment.provider'))
    check('payment', chosen ? undefined : orderTexts.noMethod)
    if (chosen === 'demo')
      check('payment.cardNumber', read('payment.cardNumber') === '' ? orderTexts.required : undefined)
  }
  if (requirements.isSecond) check('isSecondMeant', read('isSecondMeant') === 'true' ? undefined : orderTexts.required)
  return problems
}

const addressParts = ['companyName', 'addressOne', 'addressTwo', 'addressThree', 'city', 'state', 'postCode'] as const

/** Back issues need only line 1 and the postcode (spec 1, section 4.4); a subscription needs the full address. */
function requiredParts({ isForIssues, country }: OrderFormRequirements): string[] {
  const always = ['addressOne', 'postCode']
  if (isForIssues) return always
  return addressLabels(country).state?.isRequired ? [...always, 'city', 'state'] : [...always, 'city']
}

/** The email and the password, which a new buyer types twice. */
function checkRepeated(problems: FieldPhrases, typed: TypedOrder, minPasswordLength: number): void {
  const { email = '', confirmEmail = '', password = '', confirmPassword = '' } = typed
  const isSameEmail = confirmEmail.trim().toLowerCase() === email.trim().toLowerCase()
  if (confirmEmail.trim() === '') problems.confirmEmail = orderTexts.required
  else if (!isSameEmail) problems.confirmEmail = orderTexts.emailsDiffer
  if (password === '') problems.password = orderTexts.required
  else if (password.length < minPasswordLength)
    problems.password = phraseOf('Must be at least {min} characters', { min: minPasswordLength })
  else {
    const problem = tooLong(password, orderLimits.password)
    if (problem) problems.password = problem
  }
  if (confirmPassword === '') problems.confirmPassword = orderTexts.required
  else if (confirmPassword !== password) problems.confirmPassword = orderTexts.passwordsDiffer
}

function tooLong(text: string, max: number): Phrase | undefined {
  return text.length > max ? tooLongPhrase(max) : undefined
}
