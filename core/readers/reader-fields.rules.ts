/** What a field is called, for people: in histories, comparisons and error lists. */
export const readerFieldLabels = {
  uniqueReference: 'Unique reference',
  title: 'Title',
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  email: 'Email',
  jobTitle: 'Job title',
  companyName: 'Company',
  addressOne: 'Address line 1',
  addressTwo: 'Address line 2',
  addressThree: 'Address line 3',
  addressFour: 'Address line 4',
  city: 'Town or city',
  state: 'County or state',
  postCode: 'Postcode',
  country: 'Country',
  telephone: 'Telephone',
  fax: 'Fax',
  webAddress: 'Web address',
  readerType: 'Reader type',
  pubOffers: 'Publication offers by email',
  pubOffersPost: 'Publication offers by post',
  pubOffersTel: 'Publication offers by telephone',
  pubOffersSms: 'Publication offers by SMS',
  partnerOffers: 'Partner offers by email',
  partnerOffersPost: 'Partner offers by post',
  partnerOffersTel: 'Partner offers by telephone',
  partnerOffersSms: 'Partner offers by SMS',
  subStartOn: 'Start date',
  subEndOn: 'End date',
  subRenewOn: 'Renewal date',
  subType: 'Subscription type',
  subPaid: 'Amount paid',
  dataSourceOne: 'Data source 1',
  dataSourceTwo: 'Data source 2',
  answerA: 'Question A',
  answerB: 'Question B',
  answerC: 'Question C',
  answerD: 'Question D',
  answerE: 'Question E',
} as const

export type ReaderField = keyof typeof readerFieldLabels

export const readerFieldNames = Object.keys(readerFieldLabels) as ReaderField[]

/** The letters of the questions that a publication may ask. */
export const questionLetters = ['A', 'B', 'C', 'D', 'E'] as const
export type QuestionLetter = (typeof questionLetters)[number]

/** A and B are answered Yes or No, C to E in words. */
export const yesNoLetters: readonly QuestionLetter[] = ['A', 'B']
