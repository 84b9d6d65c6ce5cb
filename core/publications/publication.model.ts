import { DataTypes } from 'sequelize'
import { defineModel } from '../model.ts'

export interface PublicationRow {
  id: number
  publisherId: number
  publicationName: string
  urlKey: string
  urlKeyLower: string
  issuesPerYear: number
  color: string
  publicationInfo: string
  webAddress: string
  emailAddress: string
  orderEmailAddress: string
  ccEmail: string
  sampleEdition: string
  coverImage: string | null
  logoImage: string | null
  sellsBackIssues: boolean
  digitalIsFree: boolean
  printIsFree: boolean
  bundleIsFree: boolean
  questionA: string
  questionB: string
  questionC: string
  questionD: string
  questionE: string
  iosAppLink: string
  androidAppLink: string
  kindleAppLink: string
  digitalEditionLink: string
  facebook: string
  twitter: string
  instagram: string
  youtube: string
  emailText: string
  emailEnd: string
  receiptText: string
  renewText: string
  readerPlatformKey: string | null
  referencesMade: number
  referenceShift: number
  removedAt: Date | null
}

const text = DataTypes.STRING

export const Publications = defineModel<PublicationRow, 'publisherId' | 'publicationName' | 'urlKey' | 'urlKeyLower'>(
  'publications',
  {
    publisherId: DataTypes.BIGINT,
    publicationName: text,
    urlKey: text,
    urlKeyLower: text,
    issuesPerYear: DataTypes.INTEGER,
    color: text,
    publicationInfo: DataTypes.TEXT,
    webAddress: text,
    emailAddress: text,
    orderEmailAddress: text,
    ccEmail: text,
    sampleEdition: text,
    coverImage: text,
    logoImage: text,
    sellsBackIssues: DataTypes.BOOLEAN,
    digitalIsFree: DataTypes.BOOLEAN,
    printIsFree: DataTypes.BOOLEAN,
    bundleIsFree: DataTypes.BOOLEAN,
    questionA: text,
    questionB: text,
    questionC: text,
    questionD: text,
    questionE: text,
    iosAppLink: text,
    androidAppLink: text,
    kindleAppLink: text,
    digitalEditionLink: text,
    facebook: text,
    twitter: text,
    instagram: text,
    youtube: text,
    emailText: DataTypes.TEXT,
    emailEnd: DataTypes.TEXT,
    receiptText: DataTypes.TEXT,
    renewText: DataTypes.TEXT,
    readerPlatformKey: text,
    referencesMade: DataTypes.BIGINT,
    referenceShift: DataTypes.INTEGER,
    removedAt: DataTypes.DATE,
  },
)
