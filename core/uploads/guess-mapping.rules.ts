import { findCountry } from '../kernel/countries.ts'
import { nearest } from '../kernel/words.ts'
import { readerColumns, rejectColumns } from '../reader-files/reader.columns.ts'
import { parseUkPostCode } from '../readers/uk-postcode.rules.ts'

/** For each column of a file, in its order, the reader column it is imported as; empty is not imported. */
export type Mapping = readonly string[]

/** A header without case and punctuation, as names are held against each other. */
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** What other systems call our columns. */
const synonyms: Record<string, string> = {
  UniqueReference:
    'reference, ref, id, uid, customer id, customer number, customer no, subscriber id, subscriber number, subscriber no, subscription number, reader id, reader number, account number, account no, membership number, member id, member number, record id, urn, unique id',
  Title: 'salutation, prefix, honorific, mr mrs',
  FirstName: 'first, forename, forenames, given name, christian name, first names, fname',
  LastName: 'last, surname, family name, second name, lname',
  FullName: 'name, contact, contact name, customer name, subscriber name, recipient, addressee, reader name',
  Email: 'e-mail, email address, mail, e-mail address, email 1',
  JobTitle: 'job, position, role, occupation, function',
  CompanyName: 'company, organisation, organization, business, business name, employer, firm',
  Address1: 'address, address line 1, address line one, street, street address, addr1, add1, line 1, house and street',
  Address2: 'address line 2, address line two, addr2, add2, line 2',
  Address3: 'address line 3, address line three, addr3, add3, line 3, locality',
  Address4: 'address line 4, address line four, addr4, add4, line 4',
  City: 'town, post town, town city, city town, town or city, place',
  State: 'county, province, region, state province, county state',
  PostCode: 'post code, zip, zip code, postal code, postzip, pcode, postcode zip',
  Country: 'country name, country code, nation, land',
  Telephone: 'phone, tel, mobile, telephone number, phone number, mobile number, daytime phone, cell, tel no',
  Fax: 'fax number, facsimile',
  WebAddress: 'website, url, web, web site, homepage',
  ReaderType: 'type of reader, category, customer type, subscriber type',
  PubOffers: 'opt out email, email opt out, no email',
  PubOffersPost: 'opt out post, post opt out, no post, no mail',
  PubOffersTel: 'opt out phone, opt out tel, phone opt out, no phone',
  PubOffersSMS: 'opt out sms, sms opt out, no sms',
  SubStart:
    'start, start date, subscription start, subscription start date, from, joined, date joined, commencement, sub start date',
  SubExpiry:
    'expiry, expiry date, end, end date, expires, expiration, expiration date, subscription end, subscription expiry, valid to, until, sub expiry date, sub end',
  SubRenew: 'renew, renewal, renewal date, renews, renew date, sub renew date',
  SubType: 'type, subscription type, product, format, edition, subscription',
  SubPaid: 'paid, amount, price, amount paid, value, fee, sub price',
  SubHistory: 'history, notes, note, comments, comment, remarks',
  DataSource1: 'source, data source, origin, list, campaign, source code',
  DataSource2: 'source 2, data source 2',
}

const known = new Map<string, string>()
for (const { header } of readerColumns) known.set(plain(header), header)
for (const [header, words] of Object.entries(synonyms))
  for (const word of words.split(', ')) if (!known.has(plain(word))) known.set(plain(word), header)
const notImported = new Set(rejectColumns.map(plain))
/** The reader columns a file's column can be imported as. */
export const readerHeaders = readerColumns.map(({ header }) => header)

/** What a column's values look like, where that leaves no doubt. Names and numbers leave it. */
const looks: readonly { header: string; isOne: (value: string) => boolean }[] = [
  { header: 'Email', isOne: (value) => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(value) },
  { header: 'PostCode', isOne: (value) => parseUkPostCode(value) !== null },
  { header: 'WebAddress', isOne: (value) => /^(https?:\/\/|www\.)\S+$/i.test(value) },
  { header: 'Title', isOne: (value) => /^(mr|mrs|miss|ms|mx|dr|prof|rev|sir|lady|lord|dame)\.?$/i.test(value) },
  { header: 'SubType', isOne: (value) => /^(print|digital|bundle)$/i.test(value) },
  { header: 'Country', isOne: (value) => value.length > 1 && findCountry(value) !== null },
  { header: 'Telephone', isOne: (value) => /^\+?[\d ()-]{9,20}$/.test(value) && /^(\+|0)/.test(value) },
]

/** A column is what its values look like when nearly all of those that say anything do. */
const nearlyAll = 0.85
const fewest = 3

/**
 * What a file's columns are most likely to be: by name, then by what others call it, then by the nearest name, then by the values. No
 * reader column is given twice; what says nothing is not imported.
 */
export function guessMapping(header: readonly string[], samples: readonly (readonly string[])[]): Mapping {
  const mapping = header.map(() => '')
  const names = header.map(plain)
  const give = (index: number, to: string | undefined) => {
    if (to && mapping[index] === '' && !mapping.includes(to)) mapping[index] = to
  }
  const named = names.flatMap((name, index) => (name === '' || notImported.has(name) ? [] : [index]))
  for (const index of named)
    give(
      index,
      readerHeaders.find((own) => plain(own) === names[index]),
    )
  for (const index of named) give(index, known.get(names[index] ?? ''))
  for (const index of named) if (mapping[index] === '') give(index, nearest(names[index] ?? '', readerHeaders))
  for (const index of named) {
    const values = samples.map((row) => (row[index] ?? '').trim()).filter((value) => value !== '')
    if (values.length < fewest) continue
    give(index, looks.find(({ isOne }) => values.filter(isOne).length >= values.length * nearlyAll)?.header)
  }
  return mapping
}

/** Why a mapping cannot be used, by column; empty when it can. `form` is about all of them together. */
export function mappingProblems(
  header: readonly string[],
  mapping: Mapping,
  mode: 'add' | 'combine' | 'replace' = 'add',
): Record<string, string> {
  const problems: Record<string, string> = {}
  const taken = new Map<string, string>()
  header.forEach((name, index) => {
    const to = mapping[index] ?? ''
    if (to === '') return
    const other = taken.get(to)
    if (!isReaderColumn(to)) problems[columnField(index)] = `"${to}" is no column of a reader`
    else if (name.trim() === '') problems[columnField(index)] = 'A column without a name cannot be imported'
    else if (other !== undefined) problems[columnField(index)] = `${to} is taken by the column "${other}" already`
    else taken.set(to, name)
  })
  // Combining knows a reader by our own number as well.
  const enough = mode === 'combine' ? ['BuyerId', ...identifying] : identifying
  if (!enough.some((to) => taken.has(to))) problems.form = `Choose at least one column as ${listOf(enough)}`
  return problems
}

/** The name of a column's field in a form. */
export function columnField(index: number): string {
  return `column.${index}`
}

function isReaderColumn(name: string): boolean {
  return (readerHeaders as readonly string[]).includes(name)
}

const identifying = ['UniqueReference', 'FirstName', 'LastName', 'FullName', 'Email']

function listOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
