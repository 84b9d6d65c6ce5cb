import type { UserType } from '../access/user-types.ts'
import type { FieldErrors } from '../kernel/errors.ts'

/** The account's fields, grouped by subject. */
export const accountFields = {
  person: ['firstName', 'lastName'],
  company: [
    'companyName',
    'fullName',
    'mainContact',
    'addressOne',
    'addressTwo',
    'addressThree',
    'addressFour',
    'country',
    'postZip',
    'mobile',
    'telephone',
    'emailAddress',
    'singleEmailAddress',
  ],
  selling: [
    'mainCurrency',
    'sellOverseas',
    'allowFullBackIssue',
    'automatedSubscriptionRenewalEmails',
    'directDebitDets',
  ],
  payees: ['stripeDets', 'payPalDets', 'secureTradingDets'],
} as const

type AccountPart = keyof typeof accountFields

/** The parts of each account: a person for every user, a company for those who sell or manage sellers, selling and payees for publishers. */
const parts: Record<UserType, readonly AccountPart[]> = {
  superuser: ['person', 'company'],
  reseller: ['person', 'company'],
  publisher: ['person', 'company', 'selling', 'payees'],
  pubadmin: ['person'],
  admin: ['person'],
  mailer: ['person'],
}

export function mayChange(userType: UserType, part: AccountPart): boolean {
  return parts[userType].includes(part)
}

const reasons: Record<AccountPart, string> = {
  person: '',
  company: 'Only the publisher can change the company details',
  selling: 'Only the publisher can change this',
  payees: 'Only the publisher can change this',
}

/** The sent fields that this user type may not change: each is refused with a message, none is dropped silently. */
export function forbiddenFieldErrors(userType: UserType, sent: Record<string, unknown>): FieldErrors {
  const errors: FieldErrors = {}
  for (const [part, fields] of Object.entries(accountFields) as [AccountPart, readonly string[]][]) {
    if (mayChange(userType, part)) continue
    for (const field of fields) if (sent[field] !== undefined) errors[field] = reasons[part]
  }
  return errors
}
