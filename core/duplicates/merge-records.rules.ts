import type { Day } from '../kernel/dates.ts'
import { recordOf } from '../kernel/record-of.ts'
import { textKey } from '../kernel/search-keys.rules.ts'
import { type ReaderFieldValues, readerFields } from '../readers/reader-fields.rules.ts'
import { type SubType, termState } from '../terms/term.rules.ts'

/** A reader's record as a merge looks at it. */
export interface MergeRecord extends ReaderFieldValues {
  id: number
  isDeleted: boolean
  subCurrency: string
}

const filled = readerFields.filter((field) => field.merge === 'fill')
const addressLines = readerFields.filter((field) => field.merge === 'address')
const consents = readerFields.filter((field) => field.merge === 'strictest')

export type MergeChoice = (typeof filled)[number]['name'] | 'address'

/** What somebody may take from another record than the survivor. An address is taken whole. */
export const mergeChoices: readonly MergeChoice[] = [...filled.map(({ name }) => name), 'address']

/**
 * The records in the order they are worth keeping: active before deactivated, paid before free, the longest subscription, then the most
 * complete, then the oldest. The first one survives unless somebody chooses another.
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
 * What the surviving record says after a merge: its own fields, with blanks filled from the others in their order; what was chosen from
 * another; the stricter of each consent; the longest subscription, never a shorter one than any of them had; all histories.
 */
export function mergedFields(
  survivor: MergeRecord,
  others: readonly MergeRecord[],
  choices: Partial<Record<MergeChoice, number>>,
  today: Day,
): MergedFields {
  const all = [survivor, ...others]
  const fuller = others.find((record) => isFullerName(record.firstName, survivor.firstName))
  const chosen = (field: MergeChoice) =>
    all.find(({ id }) => id === choices[field]) ??
    // Nobody who is known by name goes on as an initial.
    (fuller && (field === 'firstName' || (field === 'fullName' && fuller.fullName !== '')) ? fuller : undefined)
  return {
    ...recordOf(filled, ({ name }) => (chosen(name) ?? all.find((record) => record[name] !== '') ?? survivor)[name]),
    ...mergedAddress(chosen('address'), all),
    ...recordOf(consents, ({ name }) => all.some((record) => record[name])),
    ...mergedTerm(survivor, others, today),
    history: joinedHistory(all),
    isDeleted: all.every(({ isDeleted }) => isDeleted),
  }
}

/** "Robert" beside "R" or "R.". */
function isFullerName(name: string, than: string): boolean {
  const initial = than.replaceAll(/[. ]/g, '')
  return initial.length === 1 && name.replaceAll(/[. ]/g, '').length > 1 && textKey(name).startsWith(textKey(initial))
}

function mergedAddress(chosen: MergeRecord | undefined, all: readonly MergeRecord[]) {
  const written = (record: MergeRecord) => addressLines.some(({ name }) => name !== 'country' && record[name] !== '')
  const base = chosen ?? all.find(written) ?? (all[0] as MergeRecord)
  // Gaps are filled from records of the same house alone: half of one address and half of another is no address.
  const sameHouse = chosen
    ? []
    : all.filter((record) => record !== base && textKey(record.addressOne) === textKey(base.addressOne))
  return recordOf(
    addressLines,
    ({ name }) =>
      base[name] || (fillable.includes(name) ? (sameHouse.find((record) => record[name] !== '')?.[name] ?? '') : ''),
  )
}

/** Lines are not: a village on the second line of one may be on the third of the other. */
const fillable: readonly string[] = ['city', 'state', 'postCode', 'country']

function mergedTerm(survivor: MergeRecord, others: readonly MergeRecord[], today: Day) {
  const held = [survivor, ...others].filter(({ subType }) => subType !== '')
  const [first] = held
  if (!first) {
    const { subType, subStartOn, subEndOn, subRenewOn, subPaid, subCurrency } = survivor
    return { subType, subStartOn, subEndOn, subRenewOn, subPaid, subCurrency }
  }
  const longest = held.reduce((best, record) => (record.subEndOn > best.subEndOn ? record : best))
  const running = held.filter((record) => !['expired', 'none'].includes(termState(record, today)))
  const kinds = new Set((running.length > 0 ? running : [first]).map(({ subType }) => subType))
  const paid = isPaid(first) ? first : (held.find(isPaid) ?? first)
  return {
    // Print here and digital there: the one reader has had both, and keeps both.
    subType: kinds.size > 1 ? ('bundle' as const) : ([...kinds][0] as SubType),
    subStartOn: held.reduce((day, { subStartOn }) => (subStartOn < day ? subStartOn : day), first.subStartOn),
    subEndOn: longest.subEndOn,
    subRenewOn: longest.subRenewOn,
    subPaid: paid.subPaid,
    subCurrency: paid.subCurrency,
  }
}

function joinedHistory(all: readonly MergeRecord[]): string {
  const lines = new Set<string>()
  for (const { history } of all)
    for (const line of history.split('\n')) if (line.trim() !== '') lines.add(line.trimEnd())
  return [...lines].join('\n')
}
