import { type Day, openEnd, openStart } from '#core/kernel/dates.ts'
import { formatMinorUnits } from '#core/kernel/money.ts'
import { recordOf } from '#core/kernel/record-of.ts'
import type { ReaderView } from '#core/readers/get-reader.query.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { type FieldKind, type ReaderField, typedReaderFields } from '#core/readers/reader-fields.rules.ts'

/** The form's fields as text; a ticked opt-out is "on", an unticked one is empty. */
export type ReaderValues = Partial<Record<ReaderField, string>>

/** An empty form: all opt-outs ticked, starting today, in the publisher's country. */
export function newReaderValues({ referenceOffered, homeCountry, today }: NewReaderFacts): ReaderValues {
  return {
    uniqueReference: referenceOffered,
    country: homeCountry,
    subStartOn: formDay(today),
    ...Object.fromEntries(optOuts.map(({ field }) => [field, 'on'])),
  }
}

interface NewReaderFacts {
  referenceOffered: string
  homeCountry: string
  today: Day
}

/** A stored reader as the form shows it. */
export function storedReaderValues(reader: ReaderView): ReaderValues {
  return recordOf(typedReaderFields, ({ name, kind }) => shownValue(kind, reader[name]))
}

function shownValue(kind: FieldKind, value: string | number | boolean | null): string {
  if (kind === 'flag') return value ? 'on' : ''
  if (kind === 'startDay' || kind === 'endDay') return formDay(String(value))
  if (kind === 'money') return value === null ? '' : formatMinorUnits(Number(value))
  return String(value)
}

/** A submitted form as input for the use cases. Browsers do not send unticked boxes; missing means no. */
export function readerInput(values: Record<string, string>): Record<string, string | boolean> {
  const input: Record<string, string | boolean> = {}
  for (const { name, kind } of typedReaderFields) {
    if (kind === 'flag') input[name] = values[name] === 'on'
    else if (values[name] !== undefined) input[name] = values[name] ?? ''
  }
  return input
}

/** DD-MM-YYYY, the form's format; open ends are empty. */
export function formDay(day: Day): string {
  if (day === openStart || day === openEnd) return ''
  return `${day.slice(8, 10)}-${day.slice(5, 7)}-${day.slice(0, 4)}`
}
