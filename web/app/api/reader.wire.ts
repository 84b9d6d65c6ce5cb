import { z } from 'zod'
import type { ReaderRecord } from '#core/readers/reader-record.ts'
import { subTypes } from '#core/readers/term-dates.rules.ts'
import { IsoDay, WireAmount, WireCurrency, WireId, wireAmount } from './wire-values.ts'

/** The texts of a reader by their names on the wire, which the form's fields share. */
const sameNames = [
  'uniqueReference', 'title', 'firstName', 'lastName', 'fullName', 'email', 'jobTitle', 'companyName', 'addressOne', 'addressTwo',
  'addressThree', 'addressFour', 'city', 'state', 'country', 'telephone', 'fax', 'webAddress', 'readerType', 'dataSourceOne',
  'dataSourceTwo', 'pubOffers', 'pubOffersPost', 'pubOffersTel', 'partnerOffers', 'partnerOffersPost', 'partnerOffersTel',
] as const // biome-ignore format: a list

const readerBody: Record<string, string> = {
  ...Object.fromEntries(sameNames.map((name) => [name, name])),
  postZip: 'postCode',
  pubOffersSMS: 'pubOffersSms',
  partnerOffersSMS: 'partnerOffersSms',
  customQuestionAans: 'answerA',
  customQuestionBans: 'answerB',
  customQuestionCans: 'answerC',
  customQuestionDans: 'answerD',
  customQuestionEans: 'answerE',
}

/** A new reader; its subscription has short names. */
export const newReaderBody: Record<string, string> = {
  publicationID: 'publicationId',
  ...readerBody,
  sd: 'subStartOn',
  ed: 'subEndOn',
  rd: 'subRenewOn',
  type: 'subType',
  paid: 'subPaid',
}

/** A change: what is not sent stays as it is. With `version` a record that somebody changed since is not written over. */
export const changedReaderBody: Record<string, string> = {
  id: 'id',
  publicationID: 'publicationId',
  version: 'version',
  ...readerBody,
  subStartDate: 'subStartOn',
  subEndDate: 'subEndOn',
  subRenewDate: 'subRenewOn',
  subType: 'subType',
  subPaid: 'subPaid',
}

/** Old clients send these along; passwords belong to accounts, and the history writes itself. */
export const unreadInReaders = ['history', 'userName', 'password'] as const

const text = z.string()
const flag = z.boolean().describe('True is opted out')

/** A reader with every field. */
export const WireReaderRecord = z.object({
  _id: WireId,
  publication: WireId,
  uniqueReference: text,
  title: text,
  firstName: text,
  lastName: text,
  fullName: text,
  email: text,
  jobTitle: text,
  companyName: text,
  addressOne: text,
  addressTwo: text,
  addressThree: text,
  addressFour: text,
  city: text,
  state: text,
  postCode: text,
  country: text.describe('ISO alpha-2; empty is the publisher’s own country'),
  telephone: text,
  fax: text,
  webAddress: text,
  readerType: text,
  dataSourceOne: text,
  dataSourceTwo: text,
  pubOffers: flag,
  pubOffersPost: flag,
  pubOffersTel: flag,
  pubOffersSMS: flag,
  partnerOffers: flag,
  partnerOffersPost: flag,
  partnerOffersTel: flag,
  partnerOffersSMS: flag,
  customQuestionAans: text,
  customQuestionBans: text,
  customQuestionCans: text,
  customQuestionDans: text,
  customQuestionEans: text,
  subType: z.enum(['', ...subTypes]),
  subStartDate: IsoDay,
  subEndDate: IsoDay.describe('2100-01-01 is until further notice'),
  subRenewDate: IsoDay,
  subPaid: WireAmount.nullable().describe('Null is a free reader'),
  currency: WireCurrency,
  history: text.describe('Lines of history; read only'),
  origin: z.enum(['file', 'storefront', 'staff']),
  isDeleted: z.boolean(),
  version: z.int(),
  creationDate: z.iso.datetime(),
  modified: z.iso.datetime(),
})

export function wireReaderRecord(reader: ReaderRecord): z.input<typeof WireReaderRecord> {
  const { id, publicationId, pubOffersSms, partnerOffersSms, subPaid, subCurrency, createdAt, updatedAt } = reader
  return {
    ...reader,
    _id: id,
    publication: publicationId,
    pubOffersSMS: pubOffersSms,
    partnerOffersSMS: partnerOffersSms,
    customQuestionAans: reader.answerA,
    customQuestionBans: reader.answerB,
    customQuestionCans: reader.answerC,
    customQuestionDans: reader.answerD,
    customQuestionEans: reader.answerE,
    subStartDate: reader.subStartOn,
    subEndDate: reader.subEndOn,
    subRenewDate: reader.subRenewOn,
    subPaid: subPaid === null ? null : wireAmount(subPaid),
    currency: subCurrency,
    creationDate: createdAt.toISOString(),
    modified: updatedAt.toISOString(),
  }
}
