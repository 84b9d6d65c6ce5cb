import { expect, it } from 'vitest'
import { mergeRefusal } from './mergeable-group.rules.ts'

const pair = { count: 2, shown: 2, isAlike: true, problem: null }
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
  ['paid and with other names', { ...pair, isAlike: false, problem: paid }, paid.message],
])('the reason is final: %s', (_, group, message) => {
  expect(mergeRefusal(group)).toMatchObject({ message: expect.stringContaining(message), isFinal: true })
})

it.each([
  ['several renewals', { ...pair, problem: renewing }, renewing.message, 'choose which renewal stays'],
  ['other names', { ...pair, isAlike: false }, 'The names differ or are missing', 'Press Enter to compare them'],
])('the reason holds until the group is opened: %s', (_, group, message, hint) => {
  expect(mergeRefusal(group)).toEqual({
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
    isFinal: false,
  })
})
