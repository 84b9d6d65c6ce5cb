import { expect, it } from 'vitest'
import { groupTitle } from './group-title.ts'

const nobody = { title: '', firstName: '', lastName: '', fullName: '', companyName: '' }
const place = { addressOne: '1 Hill', postCode: 'SW1A 1AA', email: 'ann@example.org' }
const ann = { ...nobody, ...place, firstName: 'Ann', lastName: 'Lee', fullName: 'Ann Lee' }
const lees = { keys: ['lee', 'sw1a1aa'], count: 3, members: [ann, { ...ann, fullName: 'Bob Lee' }] }

it('names a reader when the value that a group has in common names nobody', () => {
  expect(groupTitle('duplicatepostcode', lees)).toBe('SW1A 1AA · Ann Lee and 2 more')
  expect(groupTitle('duplicateemails', lees)).toBe('ann@example.org · Ann Lee and 2 more')
  expect(groupTitle('duplicateaddress', lees)).toBe('1 Hill, SW1A 1AA · Ann Lee and 2 more')
})

it('adds nothing to a common value that is a name', () => {
  expect(groupTitle('duplicatefullname', lees)).toBe('Ann Lee, SW1A 1AA')
  expect(groupTitle('duplicatelastname', lees)).toBe('Lee, SW1A 1AA')
})

it('names the first reader who has a name or a company, and nobody when none has', () => {
  const blank = { ...nobody, ...place }
  const firm = { ...blank, companyName: 'Lee & Sons' }
  expect(groupTitle('duplicateemails', { ...lees, members: [blank, firm] })).toBe(
    'ann@example.org · Lee & Sons and 2 more',
  )
  expect(groupTitle('duplicateemails', { ...lees, members: [blank, blank] })).toBe('ann@example.org')
  expect(groupTitle('duplicateemails', { ...lees, members: [] })).toBe('lee, sw1a1aa')
})
