import type { Day } from '../kernel/dates.ts'
import { recordOf } from '../kernel/record-of.ts'
import { postCodeKey, textKey } from '../kernel/search-keys.rules.ts'
import { updatedFullName } from '../readers/full-name.rules.ts'
import { blankReader, type ReaderFieldValues, readerFields } from '../readers/reader-fields.rules.ts'
import { termState } from '../terms/term.rules.ts'

/** A reader's record with the fields that a merge uses. */
export interface MergeRecord extends ReaderFieldValues {
  id: number
  isDeleted: boolean
  subCurrency: string
}

const filled = readerFields.filter((field) => field.merge === 'fill')
const addressLines = readerFields.filter((field) => field.merge === 'address')
const consents = readerFields.filter((field) => field.merge === 'strictest')

export type MergeChoice = (typeof filled)[number]['name'] | 'address'

/** The fields that may be taken from another record than the survivor. An address is taken as a whole. */
export const mergeChoices: readonly MergeChoice[] = [...filled.map(({ name }) => name), 'address']

/**
 * The records in the order they are worth keeping: active before deactivated, paid before free, the longest subscription, then the most
 * complete, then the oldest. The first one survives unless a user chooses another.
 */
export function bySurvival<Record extends MergeRecord>(records: readonly Record[]): Record[] {
  const completeness = (record: MergeRecord) =>
    [...filled, ...addressLines].filter(({ name }) => record[name] !== '').length
  const end = (record: MergeRecord) => (record.subType === '' ? '' : record.subEndOn)
  return [...records].sort(
    (a, b) =>
      Number(a.isDeleted) - Number(b.isDeleted) ||
      Number(isPaid(b)) - Number(isPaid(a)) ||
      (end(a) < end(b) ? 1 : end(a) > end(b) ? -1 : 0) ||
      completeness(b) - completeness(a) ||
      a.id - b.id,
  )
}

const isPaid = ({ subType, subPaid }: MergeRecord) => subType !== '' && subPaid !== null && subPaid > 0

export type MergedFields = Omit<MergeRecord, 'id'>

/**
 * The fields of the surviving record after a merge: its own, with blanks filled from the others in their order; those chosen from another; the
 * stricter of each consent; one subscription as a whole; all histories. Without `homeCountry` a blank country is a different one from any other.
 */
export function mergedFields(
  survivor: MergeRecord,
  others: readonly MergeRecord[],
  choices: Partial<Record<MergeChoice, number>>,
  today: Day,
  homeCountry = '',
): MergedFields {
  const all = [survivor, ...others]
  const fuller = others.find((record) => isFullerName(record.firstName, survivor.firstName))
  const chosen = (field: MergeChoice) => all.find(({ id }) => id === choices[field])
  // A full name is never replaced by an initial.
  const preferred = (field: MergeChoice) => chosen(field) ?? (field === 'firstName' ? fuller : undefined)
  const fields = recordOf(
    filled,
    ({ name }) => (preferred(name) ?? all.find((record) => record[name] !== '') ?? survivor)[name],
  )
  return {
    ...fields,
    fullName: chosen('fullName')?.fullName ?? mergedFullName(survivor, others, fields, fuller),
    ...mergedAddress(chosen('address'), all, homeCountry),
    ...recordOf(consents, ({ name }) => all.some((record) => record[name])),
    ...mergedTerm(survivor, others, today),
    history: joinedHistory(all),
    isDeleted: all.every(({ isDeleted }) => isDeleted),
  }
}

type NameFields = Pick<MergeRecord, 'title' | 'firstName' | 'lastName' | 'fullName'>

/**
 * The survivor's full name, composed again if a part of it is taken from another record; or the full name of a record with the merged surname, since
 * any other would contradict the surname on every label.
 */
function mergedFullName(
  survivor: MergeRecord,
  others: readonly MergeRecord[],
  names: NameFields,
  fuller: MergeRecord | undefined,
): string {
  const hasSameSurname = ({ lastName }: MergeRecord) =>
    [lastName, names.lastName].includes('') || textKey(lastName) === textKey(names.lastName)
  if (fuller && fuller.fullName !== '' && hasSameSurname(fuller)) return fuller.fullName
  if (survivor.fullName === '')
    return others.find((record) => record.fullName !== '' && hasSameSurname(record))?.fullName ?? ''
  // A full name without a title stays without one.
  const title = survivor.title === '' ? '' : names.title
  return updatedFullName({ ...names, title, fullName: survivor.fullName }, survivor)
}

/** "Robert" compared with "R" or "R.". */
function isFullerName(name: string, other: string): boolean {
  const initial = other.replaceAll(/[. ]/g, '')
  return initial.length === 1 && name.replaceAll(/[. ]/g, '').length > 1 && textKey(name).startsWith(textKey(initial))
}

function mergedAddress(chosen: MergeRecord | undefined, all: readonly MergeRecord[], homeCountry: string) {
  const hasAddress = (record: MergeRecord) => addressLines.some(({ name }) => name !== 'country' && record[name] !== '')
  // An entered address is not replaced by a blank one.
  const base = (chosen && hasAddress(chosen) ? chosen : all.find(hasAddress)) ?? (all[0] as MergeRecord)
  if (chosen === base) return recordOf(addressLines, ({ name }) => base[name])
  // Gaps are filled only from records of the same house: half of one address and half of another do not make an address.
  const address = recordOf(addressLines, ({ name }) => base[name])
  for (const record of all) {
    if (!isSameHouse(record, address, homeCountry)) continue
    for (const { name } of addressLines) address[name] ||= record[name]
  }
  return recordOf(addressLines, ({ name }) => (fillable.includes(name) ? address[name] : base[name]))
}

type Address = Record<(typeof addressLines)[number]['name'], string>

/** The same first line, in the same country, and nothing else that differs: there is a Flat 2 in every house, and a High Street in every town. */
function isSameHouse(a: Address, b: Address, homeCountry: string): boolean {
  if (a.addressOne === '' || b.addressOne === '' || (a.country || homeCountry) !== (b.country || homeCountry))
    return false
  return addressLines.every(({ name }) => {
    const keyOf = name === 'postCode' ? postCodeKey : textKey
    return name === 'country' || a[name] === '' || b[name] === '' || keyOf(a[name]) === keyOf(b[name])
  })
}

/** Address lines are not fillable: a village on the second line of one may be on the third of the other. */
const fillable: readonly string[] = ['city', 'state', 'postCode']

/**
 * One record's whole term: start, end, renewal and payment are never mixed, or one reader's money would pay for another's days. A paid, running
 * term comes first, then a term with an entered end, then one without (a blank cell: until further notice). But an open end takes precedence
 * over an ended term of another product, or the reader would lose the running one.
 */
function mergedTerm(survivor: MergeRecord, others: readonly MergeRecord[], today: Day) {
  const subscribed = [survivor, ...others].filter(({ subType }) => subType !== '')
  const rankOf = termRank(subscribed, today)
  const termRecord = chooseTermRecord(subscribed, rankOf) ?? survivor
  const { subType, subStartOn, subEndOn, subRenewOn, subPaid, subCurrency } = termRecord
  const running = subscribed.filter((record) => !isOver(record, today) && rankOf(record) > 0)
  const kinds = new Set((running.includes(termRecord) ? running : [termRecord]).map((record) => record.subType))
  const term = { subStartOn, subEndOn, subRenewOn, subPaid, subCurrency }
  // Print in one and digital in the other: the reader has had both, and keeps both.
  const mergedType = kinds.size > 1 ? ('bundle' as const) : subType
  if (isPaid(termRecord)) return { subType: mergedType, ...term }
  return {
    subType: mergedType,
    ...term,
    ...explicitDays(termRecord, subscribed),
    ...runningStart(termRecord, subscribed, mergedType, today),
  }
}

/**
 * The start of a free term that is not over, if another one that it replaces, or it itself, runs on this day: the earliest of them, or the reader would
 * get nothing until the later one begins. A blank start gives way to an entered one that is not in the future.
 */
function runningStart(
  termRecord: MergeRecord,
  subscribed: readonly MergeRecord[],
  mergedType: MergeRecord['subType'],
  today: Day,
): { subStartOn: Day } | undefined {
  const joined = subscribed.filter(
    (record) => !isPaid(record) && !isOver(record, today) && (mergedType === 'bundle' || record.subType === mergedType),
  )
  const starts = joined.map(({ subStartOn }) => subStartOn).sort()
  const [earliest] = starts
  if (isOver(termRecord, today) || earliest === undefined || earliest > today) return undefined
  const entered = starts.find((start) => start !== blankReader.subStartOn && start <= today)
  return { subStartOn: entered ?? earliest }
}

/**
 * Which record's term is kept: the highest rank. 0 is for an open end where another record has an entered end for the same product or a bundle: then
 * the open end is only the default of a blank cell.
 */
function termRank(subscribed: readonly MergeRecord[], today: Day): (record: MergeRecord) => number {
  const dated = subscribed.filter(({ subEndOn }) => subEndOn !== blankReader.subEndOn)
  return (record) => {
    if (isPaid(record) && !isOver(record, today)) return 4
    if (record.subEndOn !== blankReader.subEndOn) return isOver(record, today) ? 1 : 3
    return dated.some(({ subType }) => subType === record.subType || subType === 'bundle') ? 0 : 2
  }
}

/** The record whose term a merge keeps; undefined if no record has a term. */
function chooseTermRecord(
  subscribed: readonly MergeRecord[],
  rankOf: (record: MergeRecord) => number,
): MergeRecord | undefined {
  return [...subscribed].sort(
    (a, b) =>
      rankOf(b) - rankOf(a) ||
      (a.subEndOn < b.subEndOn ? 1 : a.subEndOn > b.subEndOn ? -1 : 0) ||
      Number(isPaid(b)) - Number(isPaid(a)),
  )[0]
}

const isOver = (record: MergeRecord, today: Day) => termState(record, today) === 'expired'

/** A free term's start and renewal, from another free record where its own were left blank: they show since when the reader has subscribed. */
function explicitDays(termRecord: MergeRecord, subscribed: readonly MergeRecord[]) {
  const firstDayOf = (field: 'subStartOn' | 'subRenewOn') =>
    [termRecord, ...subscribed.filter((record) => !isPaid(record))].find(
      (record) =>
        record[field] !== blankReader[field] && (field === 'subRenewOn' || record[field] <= termRecord.subEndOn),
    )?.[field] ?? termRecord[field]
  return { subStartOn: firstDayOf('subStartOn'), subRenewOn: firstDayOf('subRenewOn') }
}

function joinedHistory(all: readonly MergeRecord[]): string {
  const lines = new Set<string>()
  for (const { history } of all)
    for (const line of history.split('\n')) if (line.trim() !== '') lines.add(line.trimEnd())
  return [...lines].join('\n')
}
