import { type Day, formatDay, openEnd } from '../kernel/dates.ts'
import { type Currency, formatMoney } from '../kernel/money.ts'
import { optOuts } from '../readers/opt-outs.rules.ts'
import { readerFieldLabels } from '../readers/reader-fields.rules.ts'
import type { MemberView } from './likely-group.rules.ts'
import { bySurvival, type MergeChoice, mergeChoices, mergedFields } from './merge-records.rules.ts'

/** The choices a user makes for a group before merging it. */
export interface GroupChoices {
  /** The reader that the rule would keep. */
  survivorId: number
  /**
   * Fields on which the records differ, with each record's value and the default choice. The reader is null for a value that no record has: a full
   * name composed of the merged names, which needs no choice.
   */
  differing: {
    field: MergeChoice
    label: string
    chosenId: number | null
    options: { readerId: number | null; value: string }[]
  }[]
  /** Fields with the same value in all records that have one. */
  agreed: { label: string; value: string }[]
  /** Automatic renewals, only one of which can be kept; the one with the latest charge is the default. Null if at most one is active. */
  renewals: { chosenId: number; options: { readerId: number; value: string }[] } | null
  /** The results for the subscription and the consents, which follow fixed rules and cannot be chosen. */
  subscription: string
  optedOut: string[]
}

/** Fields that distinguish people come first; the others follow in the order of the list. */
const firstFields: readonly MergeChoice[] = [
  'fullName', 'title', 'firstName', 'lastName', 'companyName', 'address', 'email', 'telephone',
] // biome-ignore format: a list
const lastField: MergeChoice = 'uniqueReference'
const inOrder = [
  ...firstFields,
  ...mergeChoices.filter((choice) => !firstFields.includes(choice) && choice !== lastField),
  lastField,
]

function labelOf(choice: MergeChoice): string {
  return choice === 'address' ? 'Address' : readerFieldLabels[choice].replace(/^Question /, 'Answer ')
}

const productLabels: Record<string, string> = { print: 'Print', digital: 'Digital', bundle: 'Bundle' }

/** Presents a group to a person: the differing fields to choose from, the agreed ones, and what follows by rule. */
export function groupChoices({ members }: { members: readonly MemberView[] }, today: Day): GroupChoices {
  const ranked = bySurvival(members)
  const [survivor, ...others] = ranked
  if (!survivor) return { survivorId: 0, differing: [], agreed: [], renewals: null, subscription: '', optedOut: [] }
  const choices: GroupChoices = {
    survivorId: survivor.id,
    differing: [],
    agreed: [],
    subscription: '',
    optedOut: [],
    renewals: renewalsOf(members),
  }
  const merged = mergedFields(survivor, others, {}, today)
  for (const field of inOrder) {
    const options: { readerId: number | null; value: string }[] = members.map((member) => ({
      readerId: member.id,
      value: textOf(member, field),
    }))
    const values = new Set(options.map(({ value }) => value).filter((value) => value !== ''))
    const label = labelOf(field)
    if (values.size === 1) choices.agreed.push({ label, value: [...values][0] as string })
    else if (values.size > 1) {
      const chosenMember =
        field === 'address'
          ? (ranked.find((member) => textOf(member, field) !== '') ?? survivor)
          : ranked.find((member) => member[field] === merged[field])
      if (field !== 'address' && !chosenMember) options.push({ readerId: null, value: merged[field] })
      choices.differing.push({ field, label, chosenId: chosenMember?.id ?? null, options })
    }
  }
  choices.subscription = subscriptionOf(merged)
  choices.optedOut = optOuts.filter(({ field }) => merged[field]).map(({ label }) => label)
  return choices
}

function renewalsOf(members: readonly MemberView[]): GroupChoices['renewals'] {
  const renewals = members.flatMap(({ id, renewal }) => (renewal ? [{ id, ...renewal }] : []))
  if (renewals.length < 2) return null
  const last = renewals.reduce((best, renewal) => (renewal.on > best.on ? renewal : best))
  const options = renewals.map(({ id, ...renewal }) => ({
    readerId: id,
    value: `${formatMoney(renewal.price)} on ${formatDay(renewal.on)}`,
  }))
  return { chosenId: last.id, options }
}

function textOf(member: MemberView, field: MergeChoice): string {
  if (field !== 'address') return member[field]
  const { addressOne, addressTwo, addressThree, addressFour, city, state, postCode, country } = member
  return [addressOne, addressTwo, addressThree, addressFour, city, state, postCode, country].filter(Boolean).join(', ')
}

/** A subscription in a line: "Print to 31/12/2026, £24.00". */
export function subscriptionOf(reader: {
  subType: string
  subEndOn: Day
  subPaid: number | null
  subCurrency: string
}): string {
  if (reader.subType === '') return 'No subscription'
  const until = reader.subEndOn === openEnd ? 'until further notice' : `to ${formatDay(reader.subEndOn)}`
  const price =
    reader.subPaid === null ? 'free' : formatMoney({ amount: reader.subPaid, currency: reader.subCurrency as Currency })
  return `${productLabels[reader.subType] ?? reader.subType} ${until}, ${price}`
}
