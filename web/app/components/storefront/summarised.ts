import type { FieldErrors } from '#core/kernel/errors.ts'
import type { StorefrontQuestion } from '#core/publications/storefront.rules.ts'

const labels: Record<string, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  confirmEmail: 'Confirm email',
  password: 'Password',
  addressOne: 'Address line 1',
  city: 'Town or city',
  postCode: 'Postcode',
  cardNumber: 'Card number',
}

/** The messages for the summary above the form, where "Required" alone would not say of what. */
export function summarised(errors: FieldErrors, questions: readonly StorefrontQuestion[]): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, text]) => {
      if (text !== 'Required') return [name, text]
      const [part, field = part] = name.split('.') as [string, string?]
      const question = part === 'answers' ? questions.find(({ key }) => key === field)?.text : undefined
      const where = part === 'shipping' ? 'Delivery, ' : ''
      const label = question ?? labels[field] ?? field
      return [name, `${where}${label}: Required`]
    }),
  )
}
