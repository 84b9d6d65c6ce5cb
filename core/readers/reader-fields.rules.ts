import { type Day, openEnd, openStart } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { recordOf } from '../kernel/record-of.ts'
import type { SubType } from '../terms/term.rules.ts'
import { type OptOut, optOuts } from './opt-outs.rules.ts'
import type { ReaderKeys } from './reader-keys.rules.ts'

/** What a field of each kind holds. Money is in minor units, null is a free reader; an empty country means the publisher's own. */
interface ValueOf {
  text: string
  /** Text that keeps its line breaks. */
  note: string
  email: string
  /** ISO alpha-2. */
  country: string
  /** True is opted out. */
  flag: boolean
  startDay: Day
  endDay: Day
  subType: SubType | ''
  money: number | null
}
export type FieldKind = keyof ValueOf

/** The default value. */
export const blankOf: ValueOf = {
  text: '',
  note: '',
  email: '',
  country: '',
  flag: true,
  startDay: openStart,
  endDay: openEnd,
  subType: '',
  money: null,
}

/** A row of the list. Only the eight opt-outs are flags: storefronts know them as well. */
export type FieldRow = FieldFacts &
  ({ name: string; kind: Exclude<FieldKind, 'flag'> } | { name: OptOut; kind: 'flag' })

interface FieldFacts {
  /** Its name in the code; the column of `readers` and of `reader_backups` has the same in snake_case. */
  name: string
  /** Its display name. */
  label: string
  /** Its column in reader files. */
  header: string
  /** The longest text that is accepted, in characters; of a text also the column's width. */
  max: number
  /** One line for those who fill in a file. */
  hint?: string
  /** The part of the reader form it is in; null: it is not entered by people. */
  part: 'name' | 'address' | 'subscription' | 'questions' | 'offers' | 'more' | null
  /**
   * How a merge sets it: `fill` is the survivor's unless that is blank, and people may choose another's; `address` is taken as a whole;
   * `strictest` is true if any is; `term` is the longest subscription's; `join` keeps all lines.
   */
  merge: 'fill' | 'address' | 'strictest' | 'term' | 'join'
  /** Who sees it: staff who may read readers, or also the reader, in their own data. */
  seenBy: 'reader' | 'staff'
  /** Its name in the API, if it differs. */
  wire?: string
  /** Its name in requests that change a reader, if that differs again. */
  wireChanged?: string
  /** Its name in requests that add one. */
  wireNew?: string
  /** What other systems call it: columns of that name are guessed to be this one. */
  headerSynonyms?: string
}

const optOutLabel = (name: OptOut) => optOuts.find(({ field }) => field === name)?.label ?? ''
const optedOutOf = (offers: string) => `TRUE is opted out of ${offers}, FALSE is opted in; blank is opted out`
const flag = { kind: 'flag', max: 10, part: 'offers', merge: 'strictest', seenBy: 'reader' } as const
const answer = { kind: 'text', max: 500, part: 'questions', merge: 'fill', seenBy: 'reader' } as const

/**
 * The list of a reader's fields, in the order of a reader file. Only data. The row's type and columns, the form, what programs and the
 * command line send and get, reader files and their template, merges, the reader's own data, backups and the demo derive from it: a field is a
 * row here and a migration of `readers` and `reader_backups` (docs/how-to/reader-field.md).
 */
// biome-ignore format: a table
export const readerFields = [
  {
    name: 'uniqueReference', label: 'Unique reference', header: 'UniqueReference', kind: 'text', max: 60,
    hint: 'Different for every reader; blank gets a new one', part: 'name', merge: 'fill', seenBy: 'reader',
    headerSynonyms:
      'reference, ref, id, uid, customer id, customer number, customer no, subscriber id, subscriber number, subscriber no, ' +
      'subscription number, reader id, reader number, account number, account no, membership number, member id, member number, ' +
      'record id, urn, unique id',
  },
  {
    name: 'title', label: 'Title', header: 'Title', kind: 'text', max: 30, part: 'name', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'salutation, prefix, honorific, mr mrs',
  },
  {
    name: 'firstName', label: 'First name', header: 'FirstName', kind: 'text', max: 100, part: 'name', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'first, forename, forenames, given name, christian name, first names, fname',
  },
  {
    name: 'lastName', label: 'Last name', header: 'LastName', kind: 'text', max: 100, part: 'name', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'last, surname, family name, second name, lname',
  },
  {
    name: 'fullName', label: 'Full name', header: 'FullName', kind: 'text', max: 200, hint: 'The name as printed on the label',
    part: 'name', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'name, contact, contact name, customer name, subscriber name, recipient, addressee, reader name',
  },
  {
    name: 'email', label: 'Email', header: 'Email', kind: 'email', max: 254, part: 'name', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'e-mail, email address, mail, e-mail address, email 1',
  },
  {
    name: 'jobTitle', label: 'Job title', header: 'JobTitle', kind: 'text', max: 200, part: 'more', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'job, position, role, occupation, function',
  },
  {
    name: 'companyName', label: 'Company', header: 'CompanyName', kind: 'text', max: 200, part: 'address', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'company, organisation, organization, business, business name, employer, firm',
  },
  {
    name: 'addressOne', label: 'Address line 1', header: 'Address1', kind: 'text', max: 200, part: 'address', merge: 'address',
    seenBy: 'reader',
    headerSynonyms: 'address, address line 1, address line one, street, street address, addr1, add1, line 1, house and street',
  },
  {
    name: 'addressTwo', label: 'Address line 2', header: 'Address2', kind: 'text', max: 200, part: 'address', merge: 'address',
    seenBy: 'reader', headerSynonyms: 'address line 2, address line two, addr2, add2, line 2',
  },
  {
    name: 'addressThree', label: 'Address line 3', header: 'Address3', kind: 'text', max: 200, part: 'address', merge: 'address',
    seenBy: 'reader', headerSynonyms: 'address line 3, address line three, addr3, add3, line 3, locality',
  },
  {
    name: 'addressFour', label: 'Address line 4', header: 'Address4', kind: 'text', max: 200, part: 'address', merge: 'address',
    seenBy: 'reader', headerSynonyms: 'address line 4, address line four, addr4, add4, line 4',
  },
  {
    name: 'city', label: 'Town or city', header: 'City', kind: 'text', max: 100, part: 'address', merge: 'address', seenBy: 'reader',
    headerSynonyms: 'town, post town, town city, city town, town or city, place',
  },
  {
    name: 'state', label: 'County or state', header: 'State', kind: 'text', max: 100, part: 'address', merge: 'address', seenBy: 'reader',
    headerSynonyms: 'county, province, region, state province, county state',
  },
  {
    name: 'postCode', label: 'Postcode', header: 'PostCode', kind: 'text', max: 20, part: 'address', merge: 'address', seenBy: 'reader',
    wireChanged: 'postZip', wireNew: 'postZip',
    headerSynonyms: 'post code, zip, zip code, postal code, postzip, pcode, postcode zip',
  },
  {
    name: 'country', label: 'Country', header: 'Country', kind: 'country', max: 100,
    hint: 'English name or two-letter code; blank is your own country', part: 'address', merge: 'address', seenBy: 'reader',
    headerSynonyms: 'country name, country code, nation, land',
  },
  {
    name: 'telephone', label: 'Telephone', header: 'Telephone', kind: 'text', max: 40, part: 'name', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'phone, tel, mobile, telephone number, phone number, mobile number, daytime phone, cell, tel no',
  },
  {
    name: 'fax', label: 'Fax', header: 'Fax', kind: 'text', max: 40, part: 'more', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'fax number, facsimile',
  },
  {
    name: 'webAddress', label: 'Web address', header: 'WebAddress', kind: 'text', max: 500, part: 'more', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'website, url, web, web site, homepage',
  },
  {
    name: 'readerType', label: 'Reader type', header: 'ReaderType', kind: 'text', max: 100, part: 'more', merge: 'fill', seenBy: 'reader',
    headerSynonyms: 'type of reader, category, customer type, subscriber type',
  },
  {
    name: 'pubOffers', label: optOutLabel('pubOffers'), header: 'PubOffers', ...flag, hint: optedOutOf('your own offers by email'),
    headerSynonyms: 'opt out email, email opt out, no email',
  },
  {
    name: 'pubOffersPost', label: optOutLabel('pubOffersPost'), header: 'PubOffersPost', ...flag,
    hint: optedOutOf('your own offers by post'), headerSynonyms: 'opt out post, post opt out, no post, no mail',
  },
  {
    name: 'pubOffersTel', label: optOutLabel('pubOffersTel'), header: 'PubOffersTel', ...flag,
    hint: optedOutOf('your own offers by telephone'), headerSynonyms: 'opt out phone, opt out tel, phone opt out, no phone',
  },
  {
    name: 'pubOffersSms', label: optOutLabel('pubOffersSms'), header: 'PubOffersSMS', ...flag, hint: optedOutOf('your own offers by SMS'),
    wire: 'pubOffersSMS', headerSynonyms: 'opt out sms, sms opt out, no sms',
  },
  {
    name: 'partnerOffers', label: optOutLabel('partnerOffers'), header: 'PartnerOffers', ...flag,
    hint: optedOutOf('partners’ offers by email'),
  },
  {
    name: 'partnerOffersPost', label: optOutLabel('partnerOffersPost'), header: 'PartnerOffersPost', ...flag,
    hint: optedOutOf('partners’ offers by post'),
  },
  {
    name: 'partnerOffersTel', label: optOutLabel('partnerOffersTel'), header: 'PartnerOffersTel', ...flag,
    hint: optedOutOf('partners’ offers by telephone'),
  },
  {
    name: 'partnerOffersSms', label: optOutLabel('partnerOffersSms'), header: 'PartnerOffersSMS', ...flag,
    hint: optedOutOf('partners’ offers by SMS'), wire: 'partnerOffersSMS',
  },
  {
    name: 'subStartOn', label: 'Start date', header: 'SubStart', kind: 'startDay', max: 20, hint: 'DD/MM/YYYY; blank is 01/01/1970',
    part: 'subscription', merge: 'term', seenBy: 'reader', wire: 'subStartDate', wireNew: 'sd',
    headerSynonyms:
      'start, start date, subscription start, subscription start date, from, joined, date joined, commencement, sub start date',
  },
  {
    name: 'subEndOn', label: 'End date', header: 'SubExpiry', kind: 'endDay', max: 20,
    hint: 'DD/MM/YYYY; blank is 01/01/2100, until further notice', part: 'subscription', merge: 'term', seenBy: 'reader',
    wire: 'subEndDate', wireNew: 'ed',
    headerSynonyms:
      'expiry, expiry date, end, end date, expires, expiration, expiration date, subscription end, subscription expiry, valid to, ' +
      'until, sub expiry date, sub end',
  },
  {
    name: 'subRenewOn', label: 'Renewal date', header: 'SubRenew', kind: 'endDay', max: 20, hint: 'DD/MM/YYYY; blank is 01/01/2100',
    part: 'subscription', merge: 'term', seenBy: 'reader', wire: 'subRenewDate', wireNew: 'rd',
    headerSynonyms: 'renew, renewal, renewal date, renews, renew date, sub renew date',
  },
  {
    name: 'subType', label: 'Subscription type', header: 'SubType', kind: 'subType', max: 10,
    hint: 'print, digital or bundle; blank is no subscription', part: 'subscription', merge: 'term', seenBy: 'reader', wireNew: 'type',
    headerSynonyms: 'type, subscription type, product, format, edition, subscription',
  },
  {
    name: 'subPaid', label: 'Amount paid', header: 'SubPaid', kind: 'money', max: 20,
    hint: 'For example 10.50, in your main currency; blank is a free reader', part: 'subscription', merge: 'term', seenBy: 'reader',
    wireNew: 'paid', headerSynonyms: 'paid, amount, price, amount paid, value, fee, sub price',
  },
  {
    name: 'history', label: 'History', header: 'SubHistory', kind: 'note', max: 10_000, hint: 'Notes; may have several lines', part: null,
    merge: 'join', seenBy: 'reader', headerSynonyms: 'history, notes, note, comments, comment, remarks',
  },
  {
    name: 'dataSourceOne', label: 'Data source 1', header: 'DataSource1', kind: 'text', max: 200, part: 'more', merge: 'fill',
    seenBy: 'reader', headerSynonyms: 'source, data source, origin, list, campaign, source code',
  },
  {
    name: 'dataSourceTwo', label: 'Data source 2', header: 'DataSource2', kind: 'text', max: 200, part: 'more', merge: 'fill',
    seenBy: 'reader', headerSynonyms: 'source 2, data source 2',
  },
  {
    name: 'answerA', label: 'Question A', header: 'CustomQuestionA', ...answer, hint: 'The reader’s answer to your question A',
    wire: 'customQuestionAans',
  },
  {
    name: 'answerB', label: 'Question B', header: 'CustomQuestionB', ...answer, hint: 'The reader’s answer to your question B',
    wire: 'customQuestionBans',
  },
  {
    name: 'answerC', label: 'Question C', header: 'CustomQuestionC', ...answer, hint: 'The reader’s answer to your question C',
    wire: 'customQuestionCans',
  },
  {
    name: 'answerD', label: 'Question D', header: 'CustomQuestionD', ...answer, hint: 'The reader’s answer to your question D',
    wire: 'customQuestionDans',
  },
  {
    name: 'answerE', label: 'Question E', header: 'CustomQuestionE', ...answer, hint: 'The reader’s answer to your question E',
    wire: 'customQuestionEans',
  },
] as const satisfies readonly FieldRow[]

type Row = (typeof readerFields)[number]
type Typed = Exclude<Row, { part: null }>

/** Every field of the list. */
export type StoredReaderField = Row['name']
/** The fields that people may set: all but the history, which is written automatically. */
export type ReaderField = Typed['name']
export type ReaderHeader = Row['header']

/** What a reader's fields hold, each by its kind. */
export type ReaderFieldValues = { [Field in Row as Field['name']]: ValueOf[Field['kind']] }

/** A reader with default values. */
export const blankReader = recordOf(readerFields, ({ kind }) => blankOf[kind]) as ReaderFieldValues

/** The columns stored besides a reader's fields, by kind. */
interface InternalValueOf {
  number: number
  /** Another table's row, if there is one. */
  reference: number | null
  /** 1 to 31. */
  dayOfMonth: number | null
  yesNo: boolean
  currency: Currency
  origin: 'file' | 'storefront' | 'staff'
  moment: Date
  key: string
}
export type InternalKind = keyof InternalValueOf

interface InternalColumn {
  name: string
  kind: InternalKind
  seenBy: 'reader' | 'staff' | 'nobody'
  /** Its column in `reader_backups`, if it differs. */
  backup?: string
}

/** The columns of `readers` that are not entered by users: the product maintains them. Keys are computed only by reader-keys.rules. */
export const internalReaderColumns = [
  { name: 'id', kind: 'number', seenBy: 'staff' },
  { name: 'publicationId', kind: 'number', seenBy: 'staff' },
  { name: 'subCurrency', kind: 'currency', seenBy: 'reader' },
  /** See term.rules: no entry point shows it and no file contains it. */
  { name: 'subAnchorDay', kind: 'dayOfMonth', seenBy: 'nobody' },
  /** The buyer whose account it is in, as their own subscription or as a gift. */
  { name: 'buyerId', kind: 'reference', seenBy: 'nobody' },
  { name: 'keyName', kind: 'key', seenBy: 'nobody' },
  { name: 'keySurname', kind: 'key', seenBy: 'nobody' },
  { name: 'keyPostCode', kind: 'key', seenBy: 'nobody' },
  { name: 'keyAddress', kind: 'key', seenBy: 'nobody' },
  { name: 'keyEmail', kind: 'key', seenBy: 'nobody' },
  { name: 'keyCompany', kind: 'key', seenBy: 'nobody' },
  { name: 'mailSort', kind: 'key', seenBy: 'nobody' },
  { name: 'postCodeState', kind: 'key', seenBy: 'nobody' },
  { name: 'addressState', kind: 'key', seenBy: 'nobody' },
  { name: 'origin', kind: 'origin', seenBy: 'reader' },
  { name: 'uploadId', kind: 'reference', seenBy: 'nobody', backup: 'from_upload_id' },
  { name: 'uploadLine', kind: 'reference', seenBy: 'nobody' },
  { name: 'isDeleted', kind: 'yesNo', seenBy: 'reader' },
  { name: 'version', kind: 'number', seenBy: 'staff' },
  { name: 'modifiedBy', kind: 'reference', seenBy: 'nobody' },
  { name: 'createdAt', kind: 'moment', seenBy: 'reader' },
  { name: 'updatedAt', kind: 'moment', seenBy: 'reader' },
] as const satisfies readonly (InternalColumn | (InternalColumn & { kind: 'key'; name: keyof ReaderKeys }))[]

type InternalReaderColumn = (typeof internalReaderColumns)[number]

/** The types of the maintained columns. */
export type InternalReaderValues = {
  [Column in Exclude<InternalReaderColumn, { kind: 'key' }> as Column['name']]: InternalValueOf[Column['kind']]
} & ReaderKeys
/** The maintained columns that are shown. */
export type VisibleReaderColumn = Exclude<InternalReaderColumn, { seenBy: 'nobody' }>['name']

export const typedReaderFields: readonly Typed[] = readerFields.filter((row) => row.part !== null)
export const readerFieldNames: readonly ReaderField[] = typedReaderFields.map(({ name }) => name)

/** A field's display name: in histories, comparisons and error lists. */
export const readerFieldLabels: Readonly<Record<ReaderField, string>> = recordOf(
  typedReaderFields,
  ({ label }) => label,
)

/** The letters of the questions that a publication may ask. */
export const questionLetters = ['A', 'B', 'C', 'D', 'E'] as const
export type QuestionLetter = (typeof questionLetters)[number]

/** A and B are answered Yes or No, C to E as text. */
export const yesNoLetters: readonly QuestionLetter[] = ['A', 'B']
