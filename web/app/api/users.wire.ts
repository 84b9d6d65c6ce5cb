import { z } from 'zod'
import { userTypes } from '#core/access/user-types.ts'
import { avatarShape, imageAddress } from '#core/images/image.rules.ts'
import type { PublisherListItem } from '#core/users/list-publishers.query.ts'
import type { PublisherContact } from '#core/users/publisher-contact.query.ts'
import type { UserListItem } from '#core/users/user-list-row.ts'
import { WireCurrency, WireId } from './wire-values.ts'

const text = z.string()
const moment = z.iso.datetime().nullable()

/** The fields of a new user or publisher, under the specification's names. */
const personBody = {
  firstName: 'firstName',
  lastName: 'lastName',
  email: 'email',
  companyName: 'companyName',
  password: 'password',
  password2: 'password2',
  userType: 'userType',
}

export const newUserBody = { ...personBody, parentPublisher: 'publisherId' }

export const changedUserBody = { ...personBody, id: 'id', numberOfPublications: 'numberOfPublications' }

export const newPublisherBody = {
  ...personBody,
  mainContact: 'mainContact',
  addressOne: 'addressOne',
  addressTwo: 'addressTwo',
  addressThree: 'addressThree',
  addressFour: 'addressFour',
  country: 'country',
  postZip: 'postZip',
  mobile: 'mobile',
  telephone: 'telephone',
  emailAddress: 'emailAddress',
  numberOfPublications: 'numberOfPublications',
  userKey: 'resellerId',
}

export const WireUser = z.object({
  _id: WireId,
  userType: z.enum(userTypes),
  firstName: text,
  lastName: text,
  email: text,
  parentPublisher: WireId.nullable().describe('The publisher this user works for'),
  userKey: WireId.nullable().describe('The publisher or reseller this user belongs to'),
  isActive: z.boolean(),
  lastLogin: moment,
  invited: moment.describe('When the last invitation was sent; null for a user created with a password'),
  twoStep: z.boolean(),
  avatar: text.nullable().describe('The URL of the picture'),
  accountDets: z.object({ companyName: text, numberOfPublications: z.int() }),
})

export function wireUser(user: UserListItem): z.input<typeof WireUser> {
  const parentPublisher = user.userType === 'publisher' ? null : user.publisherId
  return {
    _id: user.id,
    userType: user.userType,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    parentPublisher,
    userKey: parentPublisher ?? user.resellerId,
    isActive: user.isActive,
    lastLogin: user.lastLoginAt?.toISOString() ?? null,
    invited: user.invitedAt?.toISOString() ?? null,
    twoStep: user.hasTwoStep,
    avatar: user.avatarFile && imageAddress(user.avatarFile, avatarShape, 256),
    accountDets: { companyName: user.companyName, numberOfPublications: user.numberOfPublications },
  }
}

export const WirePublisher = z.object({
  _id: WireId,
  firstName: text,
  lastName: text,
  email: text,
  userKey: WireId.nullable().describe('The reseller that manages the publisher'),
  isActive: z.boolean(),
  lastLogin: moment,
  publications: z.int(),
  readers: z.int(),
  staff: z.int(),
  accountDets: z.object({ companyName: text, numberOfPublications: z.int() }),
})

export function wirePublisher(publisher: PublisherListItem): z.input<typeof WirePublisher> {
  return {
    _id: publisher.id,
    firstName: publisher.firstName,
    lastName: publisher.lastName,
    email: publisher.email,
    userKey: publisher.resellerId,
    isActive: publisher.isActive,
    lastLogin: publisher.lastLoginAt?.toISOString() ?? null,
    publications: publisher.titles,
    readers: publisher.readers,
    staff: publisher.staff,
    accountDets: { companyName: publisher.companyName, numberOfPublications: publisher.titlesAllowed },
  }
}

export const WireNewUser = z.object({
  _id: WireId,
  invited: z.boolean().describe('true: a link to set the password was sent by email'),
})

export function wireNewUser({ id, isInvited }: { id: number; isInvited: boolean }): z.input<typeof WireNewUser> {
  return { _id: id, invited: isInvited }
}

export const WireContact = z.object({
  _id: WireId,
  accountDets: z.object({
    companyName: text,
    telephone: text,
    addressOne: text,
    addressTwo: text,
    addressThree: text,
    postZip: text,
    country: text,
    mainCurrency: WireCurrency,
    sellOverseas: z.boolean(),
    directDebitDets: z.object({
      chargeableName: text,
      selectedDD: text.describe('Empty: direct debit is not taken'),
    }),
    stripeDets: z.object({ publishableKey: text }),
    payPalDets: z.object({ payPalString: text.describe('The client ID') }),
  }),
})

export function wireContact({
  id,
  directDebit,
  sellsOverseas,
  stripePublishableKey,
  payPalClientId,
  ...account
}: PublisherContact): z.input<typeof WireContact> {
  return {
    _id: id,
    accountDets: {
      ...account,
      sellOverseas: sellsOverseas,
      directDebitDets: { chargeableName: directDebit.chargeableName, selectedDD: directDebit.option },
      stripeDets: { publishableKey: stripePublishableKey },
      payPalDets: { payPalString: payPalClientId },
    },
  }
}
