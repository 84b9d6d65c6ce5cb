import { payees } from '#core/accounts/payee-keys.rules.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'

/** The fields of the account as people read them. */
export const labels = {
  firstName: 'First name',
  lastName: 'Last name',
  companyName: 'Company name',
  fullName: 'Full name',
  mainContact: 'Main contact',
  telephone: 'Telephone',
  mobile: 'Mobile',
  emailAddress: 'Main contact email',
  singleEmailAddress: 'Subscriptions email',
  addressOne: 'Address line 1',
  addressTwo: 'Address line 2',
  addressThree: 'Address line 3',
  addressFour: 'Address line 4',
  country: 'Country',
  postZip: 'Postcode',
  email: 'New email',
  password: 'New password',
  password2: 'Confirm new password',
} as const

/** The messages for the summary of a form, where "Required" alone would not say of what. */
export function summarised(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, text]) => [name, text === 'Required' ? `${labelOf(name)}: Required` : text]),
  )
}

function labelOf(name: string): string {
  if (name in labels) return labels[name as keyof typeof labels]
  const [provider, field] = name.split('.')
  const known = Object.entries(payees).find(([key]) => key === provider)?.[1]
  return known?.fields.find((candidate) => candidate.name === field)?.label ?? name
}
