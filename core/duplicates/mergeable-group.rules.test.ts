import { expect, it } from 'vitest'
import { isCertainDuplicate, isPickable, mergeRefusal } from './mergeable-group.rules.ts'

const pair = { count: 2, shown: 2, isSimilar: true, problem: null }
const paid = { kind: 'paid', message: 'More than one is paid', hint: 'Keep them.' } as const
const renewing = { kind: 'renewing', message: 'More than one renews', hint: 'Elsewhere.' } as const

it('gives no reason for a group that can be merged as it is', () => {
  expect(mergeRefusal(pair)).toBeNull()
})

it.each([
  ['changed', { ...pair, isChanged: true }, 'Changed since the search'],
  ['too many', { ...pair, count: 1023, shown: 20 }, 'Only the first 20 of its 1,023 readers are shown'],
  ['one left', { ...pair, count: 1, shown: 1 }, 'Only one reader of this group is left'],
  ['paid', { ...pair, problem: paid }, paid.message],
  ['paid and with other names', { ...pair, isSimilar: false, problem: paid }, paid.message],
])('the reason is final: %s', (_, group, message) => {
  expect(mergeRefusal(group)).toMatchObject({ message: expect.stringContaining(message), isFinal: true })
})

it.each([
  ['several renewals', { ...pair, problem: renewing }, renewing.message, 'choose which renewal to keep'],
  [
    'other names',
    { ...pair, isSimilar: false },
    'The names or titles differ or are missing',
    'Press Enter to compare them',
  ],
])('the reason holds until the group is opened: %s', (_, group, message, hint) => {
  expect(mergeRefusal(group)).toEqual({
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
    isFinal: false,
  })
})

const named = (title: string, firstName: string, lastName: string, fullName = '') => ({
  title,
  firstName,
  lastName,
  fullName,
})
const groupOf = (...readers: ReturnType<typeof named>[]) => ({ count: readers.length, readers })

it.each([
  ['with initials', groupOf(named('Mr', 'J', 'Smith'), named('Mrs', 'J', 'Smith'))],
  ['with surnames only', groupOf(named('Mr', '', 'Smith'), named('Mrs', '', 'Smith'))],
  ['with full names without the title', groupOf(named('Sr.', 'J', 'Vega', 'J Vega'), named('Sra.', 'J', 'Vega', 'J Vega'))], // biome-ignore format: a row
  ['with the title in one full name', groupOf(named('Mr', 'J', 'Smith', 'J Smith'), named('', 'J', 'Smith', 'Mrs J Smith'))], // biome-ignore format: a row
])('two titles are a couple and not one reader: %s', (_, couple) => {
  for (const list of ['duplicatefullname', 'duplicateemails', 'duplicateaddress'] as const) {
    expect(isCertainDuplicate(list, couple)).toBe(false)
    expect(isPickable(list, couple)).toBe(false)
  }
})

it.each([
  ['surnames', groupOf(named('', '', 'Smith', 'Mr John Smith'), named('', '', 'Smith', 'Mrs Mary Smith'))],
  ['first names', groupOf(named('', 'John', '', 'John Smith'), named('', 'John', '', 'John Brown'))],
])('half a name is not the whole: %s', (_, sharingMailbox) => {
  expect(isCertainDuplicate('duplicateemails', sharingMailbox)).toBe(false)
  expect(isPickable('duplicateemails', sharingMailbox)).toBe(false)
})

it.each([
  ['the same title, written differently', groupOf(named('Mr', 'J', 'Smith'), named('MR.', 'J', 'Smith'))],
  ['a title in one record only', groupOf(named('', 'J', 'Smith', 'J Smith'), named('Mr', 'J', 'Smith', 'J Smith'))],
  ['the title in the full name', groupOf(named('Mr', 'J', 'Smith'), named('', 'J', 'Smith', 'Mr J Smith'))],
  ['whole and split names', groupOf(named('', 'Ann', 'Lee'), named('', '', 'Lee', 'Ann Lee'))],
])('one reader: %s', (_, group) => {
  expect(isCertainDuplicate('duplicateemails', group)).toBe(true)
  expect(isCertainDuplicate('duplicatefullname', group)).toBe(true)
})
