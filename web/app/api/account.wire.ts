import { z } from 'zod'
import { userTypes } from '#core/access/user-types.ts'
import type { AccountView } from '#core/accounts/get-account.query.ts'
import { avatarShape, imageAddress } from '#core/images/image.rules.ts'
import { currencies } from '#core/kernel/money.ts'
import { WireId } from './wire-values.ts'

/** The request fields of the account, which have the same names in the use case. Credentials come in the groups that the specification defines. */
export const accountBody: Record<string, string> = Object.fromEntries(
  [
    'firstName',
    'lastName',
    'email',
    'currentPassword',
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
    'mainCurrency',
    'sellOverseas',
    'allowFullBackIssue',
    'automatedSubscriptionRenewalEmails',
    'directDebitDets',
    'stripeDets',
    'payPalDets',
    'secureTradingDets',
  ].map((name) => [name, name]),
)

const text = z.string()
const isSet = z.boolean().describe('Whether one is stored. The secret itself never leaves the server.')

const WireCompany = {
  companyName: text,
  fullName: text,
  mainContact: text,
  addressOne: text,
  addressTwo: text,
  addressThree: text,
  addressFour: text,
  country: text,
  postZip: text,
  mobile: text,
  telephone: text,
  emailAddress: text,
  singleEmailAddress: text,
}

/** The fields that only a publisher's account has. */
const WireMoney = {
  mainCurrency: z.enum(currencies).optional(),
  numberOfPublications: z.int().optional(),
  sellOverseas: z.boolean().optional(),
  allowFullBackIssue: z.boolean().optional(),
  automatedSubscriptionRenewalEmails: z.boolean().optional(),
  directDebitDets: z
    .object({
      serviceUserNumber: text,
      chargeableName: text,
      selectedDD: text.describe('email, provider, or empty: direct debit is off'),
    })
    .optional(),
  stripeDets: z.object({ publishableKey: text, secretKeySet: isSet, webhookSecretSet: isSet }).optional(),
  payPalDets: z.object({ payPalString: text, secretSet: isSet, webhookId: text }).optional(),
  secureTradingDets: z.object({ user: text, ref: text, passSet: isSet, sitePassSet: isSet }).optional(),
}

export const WireAccount = z.object({
  _id: WireId,
  userType: z.enum(userTypes),
  firstName: text,
  lastName: text,
  email: text,
  avatar: text.nullable().describe('The URL of the picture'),
  lastLogin: z.iso.datetime().nullable(),
  parentPublisher: WireId.nullable(),
  userKey: WireId.nullable().describe('The publisher or reseller this user belongs to'),
  twoStep: z.boolean(),
  accountDets: z
    .object({ userImageName: text.nullable(), ...WireCompany, ...WireMoney })
    .nullable()
    .describe('null: users of this type cannot see the company. Only the publisher sees the parts about payments.'),
})

export function wireAccount(account: AccountView): z.input<typeof WireAccount> {
  const avatar = account.avatarFile && imageAddress(account.avatarFile, avatarShape, 256)
  return {
    _id: account.id,
    userType: account.userType,
    firstName: account.firstName,
    lastName: account.lastName,
    email: account.email,
    avatar,
    lastLogin: account.lastLoginAt?.toISOString() ?? null,
    parentPublisher: account.parentPublisherId,
    userKey: account.parentPublisherId ?? account.resellerId,
    twoStep: account.twoStepSince !== null,
    accountDets: account.company && {
      userImageName: avatar,
      ...account.company,
      ...account.selling,
      ...wirePayees(account),
    },
  }
}

function wirePayees({ payees }: AccountView) {
  if (!payees) return {}
  const field = (provider: string, name: string) =>
    payees.find((payee) => payee.provider === provider)?.fields.find((candidate) => candidate.name === name)
  const value = (provider: string, name: string) => field(provider, name)?.value ?? ''
  const has = (provider: string, name: string) => field(provider, name)?.isSet ?? false
  return {
    stripeDets: {
      publishableKey: value('stripeDets', 'publishableKey'),
      secretKeySet: has('stripeDets', 'secretKey'),
      webhookSecretSet: has('stripeDets', 'webhookSecret'),
    },
    payPalDets: {
      payPalString: value('payPalDets', 'payPalString'),
      secretSet: has('payPalDets', 'secret'),
      webhookId: value('payPalDets', 'webhookId'),
    },
    secureTradingDets: {
      user: value('secureTradingDets', 'user'),
      ref: value('secureTradingDets', 'ref'),
      passSet: has('secureTradingDets', 'pass'),
      sitePassSet: has('secureTradingDets', 'sitePass'),
    },
  }
}
