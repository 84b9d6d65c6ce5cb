import { DataTypes } from 'sequelize'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { defineModel } from '../model.ts'
import type { OptOuts } from './opt-outs.rules.ts'
import type { ReaderKeys } from './reader-keys.rules.ts'
import type { SubType } from './term-dates.rules.ts'

/** A person or office that gets the magazine. The row holds the current subscription; `reader_events` holds how it came about. */
export interface ReaderRow extends ReaderKeys, OptOuts {
  id: number
  publicationId: number
  uniqueReference: string
  title: string
  firstName: string
  lastName: string
  fullName: string
  email: string
  jobTitle: string
  companyName: string
  addressOne: string
  addressTwo: string
  addressThree: string
  addressFour: string
  city: string
  state: string
  postCode: string
  /** ISO alpha-2, or empty for the publisher's own country. */
  country: string
  telephone: string
  fax: string
  webAddress: string
  readerType: string
  subStartOn: Day
  subEndOn: Day
  subRenewOn: Day
  subType: SubType | ''
  /** Minor units; null is a free reader. */
  subPaid: number | null
  subCurrency: Currency
  history: string
  dataSourceOne: string
  dataSourceTwo: string
  answerA: string
  answerB: string
  answerC: string
  answerD: string
  answerE: string
  origin: 'file' | 'storefront' | 'staff'
  uploadId: number | null
  uploadLine: number | null
  isDeleted: boolean
  version: number
  modifiedBy: number | null
  createdAt: Date
  updatedAt: Date
}

type Required =
  | 'publicationId'
  | 'uniqueReference'
  | 'subStartOn'
  | 'subEndOn'
  | 'subRenewOn'
  | 'origin'
  | keyof ReaderKeys
  | keyof OptOuts

const text = DataTypes.STRING
const flag = DataTypes.BOOLEAN
const day = DataTypes.DATEONLY
const whole = DataTypes.BIGINT

export const Readers = defineModel<ReaderRow, Required>('readers', {
  publicationId: whole,
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
  country: text,
  telephone: text,
  fax: text,
  webAddress: text,
  readerType: text,
  pubOffers: flag,
  pubOffersPost: flag,
  pubOffersTel: flag,
  pubOffersSms: flag,
  partnerOffers: flag,
  partnerOffersPost: flag,
  partnerOffersTel: flag,
  partnerOffersSms: flag,
  subStartOn: day,
  subEndOn: day,
  subRenewOn: day,
  subType: text,
  subPaid: whole,
  subCurrency: text,
  history: DataTypes.TEXT,
  dataSourceOne: text,
  dataSourceTwo: text,
  answerA: text,
  answerB: text,
  answerC: text,
  answerD: text,
  answerE: text,
  keyName: text,
  keySurname: text,
  keyPostCode: text,
  keyAddress: text,
  keyEmail: text,
  keyCompany: text,
  mailSort: text,
  postCodeState: text,
  addressState: text,
  origin: text,
  uploadId: whole,
  uploadLine: whole,
  isDeleted: flag,
  version: DataTypes.INTEGER,
  modifiedBy: whole,
  createdAt: DataTypes.DATE,
  updatedAt: DataTypes.DATE,
})
