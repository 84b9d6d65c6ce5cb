import { z } from 'zod'
import type { UserType } from '../access/user-types.ts'
import { asNullableInstant } from '../database.ts'
import { unauthenticated } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { useCase } from '../use-case.ts'
import type { AccountRow } from '../users/accounts.rows.ts'
import { mayChange } from './account-fields.rules.ts'
import { accountHolder, storedAccount, visibleAccount } from './own-account.ts'
import { payeeProviders } from './payee-keys.rules.ts'
import { type PayeeView, payeeView } from './payee-view.ts'

interface CompanyDetails {
  companyName: string
  fullName: string
  mainContact: string
  addressOne: string
  addressTwo: string
  addressThree: string
  addressFour: string
  country: string
  postZip: string
  mobile: string
  telephone: string
  emailAddress: string
  singleEmailAddress: string
}

interface SellingSettings {
  mainCurrency: Currency
  sellOverseas: boolean
  allowFullBackIssue: boolean
  automatedSubscriptionRenewalEmails: boolean
  numberOfPublications: number
  directDebitDets: { serviceUserNumber: string; chargeableName: string; selectedDD: string }
}

export interface AccountView {
  id: number
  userType: UserType
  email: string
  firstName: string
  lastName: string
  avatarFile: string | null
  lastLoginAt: Date | null
  parentPublisherId: number | null
  resellerId: number | null
  twoStepSince: Date | null
  /** Null for users who belong to a company but may not see its details. */
  company: CompanyDetails | null
  mayChangeCompany: boolean
  /** `selling` and `payees` are set only for a publisher. */
  selling: SellingSettings | null
  payees: PayeeView[] | null
}

interface PersonRow {
  id: number
  user_type: UserType
  email: string
  first_name: string
  last_name: string
  avatar_file: string | null
  last_login_at: Date | string | null
  parent_publisher_id: number | null
  reseller_id: number | null
  two_step_since: Date | string | null
}

/**
 * The logged-in user's own account, with the parts that the user type has. It returns no secrets: for payment keys only
 * whether they are set, with a mask.
 */
export const getAccount = useCase({
  permission: 'account:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<AccountView> {
    const { userId, userType } = accountHolder(ctx)
    const [person] = await ctx.db.query<PersonRow>(
      `SELECT id, user_type, email, first_name, last_name, avatar_file, last_login_at, parent_publisher_id, reseller_id, two_step_since
       FROM users WHERE id = :userId`,
      { userId },
    )
    if (!person) throw unauthenticated()
    const account = await storedAccount(ctx)
    const mayChangeSelling = mayChange(userType, 'selling')
    return {
      id: person.id,
      userType,
      email: person.email,
      firstName: person.first_name,
      lastName: person.last_name,
      avatarFile: person.avatar_file,
      lastLoginAt: asNullableInstant(person.last_login_at),
      parentPublisherId: person.parent_publisher_id,
      resellerId: person.reseller_id,
      twoStepSince: asNullableInstant(person.two_step_since),
      company: visibleAccount(ctx) && companyOf(account),
      mayChangeCompany: mayChange(userType, 'company'),
      selling: mayChangeSelling ? sellingOf(account) : null,
      payees: mayChangeSelling ? payeeProviders.map((provider) => payeeView(ctx, account, provider)) : null,
    }
  },
})

/** The fields of an account that its user can change, under the names by which they are saved. */
export function savedFields({ firstName, lastName, company, selling }: AccountView): object {
  return { firstName, lastName, ...company, ...selling }
}

function companyOf(account: AccountRow | null): CompanyDetails {
  return {
    companyName: account?.companyName ?? '',
    fullName: account?.fullName ?? '',
    mainContact: account?.mainContact ?? '',
    addressOne: account?.addressOne ?? '',
    addressTwo: account?.addressTwo ?? '',
    addressThree: account?.addressThree ?? '',
    addressFour: account?.addressFour ?? '',
    country: account?.country ?? 'GB',
    postZip: account?.postZip ?? '',
    mobile: account?.mobile ?? '',
    telephone: account?.telephone ?? '',
    emailAddress: account?.emailAddress ?? '',
    singleEmailAddress: account?.singleEmailAddress ?? '',
  }
}

/** Until something is saved, the specification's defaults apply: overseas yes, full back issues no, renewal emails not set. */
function sellingOf(account: AccountRow | null): SellingSettings {
  return {
    mainCurrency: account?.mainCurrency ?? 'GBP',
    sellOverseas: account?.sellOverseas ?? true,
    allowFullBackIssue: account?.allowFullBackIssue ?? false,
    automatedSubscriptionRenewalEmails: account?.automatedRenewalEmails ?? false,
    numberOfPublications: account?.numberOfPublications ?? 1,
    directDebitDets: {
      serviceUserNumber: account?.directDebitServiceUserNumber ?? '',
      chargeableName: account?.directDebitChargeableName ?? '',
      selectedDD: account?.directDebitOption ?? '',
    },
  }
}
