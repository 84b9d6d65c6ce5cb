import { DataTypes } from 'sequelize'
import type { Currency } from '../kernel/money.ts'
import { defineModel } from '../model.ts'

/** The company behind a publisher, a reseller or a superuser. */
export interface AccountRow {
  id: number
  userId: number
  companyName: string
  mainContact: string
  fullName: string
  addressOne: string
  addressTwo: string
  addressThree: string
  addressFour: string
  country: string
  postZip: string
  telephone: string
  mobile: string
  emailAddress: string
  singleEmailAddress: string
  mainCurrency: Currency
  numberOfPublications: number
  sellOverseas: boolean
  allowFullBackIssue: boolean
  automatedRenewalEmails: boolean
  paypalClientId: string | null
  /** Sealed, as are the other secrets: they go in and never come out. */
  paypalSecret: string | null
  paypalWebhookId: string | null
  stripePublishableKey: string | null
  stripeSecretKey: string | null
  stripeWebhookSecret: string | null
  secureTradingUser: string | null
  secureTradingPassword: string | null
  secureTradingReference: string | null
  secureTradingSitePassword: string | null
  directDebitServiceUserNumber: string | null
  directDebitChargeableName: string | null
  /** `email`, `provider`, or null: direct debit is off. */
  directDebitOption: string | null
  takesDemoPayments: boolean
}

export const Accounts = defineModel<AccountRow, 'userId'>('accounts', {
  userId: DataTypes.BIGINT,
  companyName: DataTypes.STRING,
  mainContact: DataTypes.STRING,
  fullName: DataTypes.STRING,
  addressOne: DataTypes.STRING,
  addressTwo: DataTypes.STRING,
  addressThree: DataTypes.STRING,
  addressFour: DataTypes.STRING,
  country: DataTypes.STRING,
  postZip: DataTypes.STRING,
  telephone: DataTypes.STRING,
  mobile: DataTypes.STRING,
  emailAddress: DataTypes.STRING,
  singleEmailAddress: DataTypes.STRING,
  mainCurrency: DataTypes.STRING,
  numberOfPublications: DataTypes.INTEGER,
  sellOverseas: DataTypes.BOOLEAN,
  allowFullBackIssue: DataTypes.BOOLEAN,
  automatedRenewalEmails: DataTypes.BOOLEAN,
  paypalClientId: DataTypes.STRING,
  paypalSecret: DataTypes.TEXT,
  paypalWebhookId: DataTypes.STRING,
  stripePublishableKey: DataTypes.STRING,
  stripeSecretKey: DataTypes.TEXT,
  stripeWebhookSecret: DataTypes.TEXT,
  secureTradingUser: DataTypes.STRING,
  secureTradingPassword: DataTypes.TEXT,
  secureTradingReference: DataTypes.STRING,
  secureTradingSitePassword: DataTypes.TEXT,
  directDebitServiceUserNumber: DataTypes.STRING,
  directDebitChargeableName: DataTypes.STRING,
  directDebitOption: DataTypes.STRING,
  takesDemoPayments: DataTypes.BOOLEAN,
})
