import { type Day, openEnd, openStart } from '#core/kernel/dates.ts'
import { printMinorUnits } from '#core/kernel/money.ts'
import type { ReaderView } from '#core/readers/get-reader.query.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { type ReaderField, readerFieldNames } from '#core/readers/reader-fields.rules.ts'

/** The form's fields as text; a ticked opt-out is "on", an unticked one is blank. */
export type ReaderValues = Partial<Record<ReaderField, string>>

const flags: readonly string[] = optOuts.map(({ field }) => field)

/** An empty form: opted out of everything, from today, in the publisher's own country. */
export function newReaderValues({ referenceOffered, homeCountry, today }: NewReaderFacts): ReaderValues {
  return {
    uniqueReference: referenceOffered,
    country: homeCountry,
    subStartOn: formDay(today),
    ...Object.fromEntries(flags.map((field) => [field, 'on'])),
  }
}

interface NewReaderFacts {
  referenceOffered: string
  homeCountry: string
  today: Day
}

/** A stored reader as the form shows it. */
export function storedReaderValues(reader: ReaderView): ReaderValues {
  const { address, subscription, dataSources, optOuts: chosen, answers } = reader
  const { uniqueReference, title, firstName, lastName, fullName, email, jobTitle, companyName } = reader
  const { telephone, fax, webAddress, readerType } = reader
  return {
    ...{ uniqueReference, title, firstName, lastName, fullName, email, jobTitle, companyName },
    ...{ telephone, fax, webAddress, readerType },
    addressOne: address.one,
    addressTwo: address.two,
    addressThree: address.three,
    addressFour: address.four,
    city: address.city,
    state: address.state,
    postCode: address.postCode,
    country: address.country,
    subType: subscription.type,
    subStartOn: formDay(subscription.startOn),
    subEndOn: formDay(subscription.endOn),
    subRenewOn: formDay(subscription.renewOn),
    subPaid: subscription.paid ? printMinorUnits(subscription.paid.amount) : '',
    dataSourceOne: dataSources[0],
    dataSourceTwo: dataSources[1],
    ...Object.fromEntries(answers.map(({ letter, answer }) => [`answer${letter}`, answer])),
    ...Object.fromEntries(optOuts.map(({ field }) => [field, chosen[field] ? 'on' : ''])),
  }
}

/** A sent form as the use-cases take it. A box that is not ticked is not sent, and means no. */
export function readerInput(values: Record<string, string>): Record<string, string | boolean> {
  const input: Record<string, string | boolean> = {}
  for (const field of readerFieldNames) {
    if (flags.includes(field)) input[field] = values[field] === 'on'
    else if (values[field] !== undefined) input[field] = values[field] ?? ''
  }
  return input
}

/** DD-MM-YYYY, as the form's days are written; the open ends are blank. */
export function formDay(day: Day): string {
  if (day === openStart || day === openEnd) return ''
  return `${day.slice(8, 10)}-${day.slice(5, 7)}-${day.slice(0, 4)}`
}
