import { expect, it } from 'vitest'
import { groupChoices } from './likely-choices.rules.ts'
import type { LikelyMemberView } from './likely-group.rules.ts'

const base: Omit<LikelyMemberView, 'id' | 'uniqueReference'> = {
  version: 1,
  fit: 0.9,
  reasons: [],
  orders: 0,
  renewal: null,
  title: '',
  firstName: 'Ann',
  lastName: 'Lee',
  fullName: '',
  email: '',
  jobTitle: '',
  companyName: '',
  addressOne: '1 Quay',
  addressTwo: '',
  addressThree: '',
  addressFour: '',
  city: 'Fowey',
  state: '',
  postCode: '',
  country: '',
  telephone: '',
  fax: '',
  webAddress: '',
  readerType: '',
  dataSourceOne: '',
  dataSourceTwo: '',
  answerA: '',
  answerB: '',
  answerC: '',
  answerD: '',
  answerE: '',
  subType: 'print',
  subStartOn: '2026-01-01',
  subEndOn: '2026-12-31',
  subRenewOn: '2026-12-31',
  subPaid: null,
  subCurrency: 'GBP',
  history: '',
  isDeleted: false,
  pubOffers: false,
  pubOffersPost: true,
  pubOffersTel: false,
  pubOffersSms: false,
  partnerOffers: false,
  partnerOffersPost: false,
  partnerOffersTel: false,
  partnerOffersSms: false,
}

it('lists what differs, what is the same, and what follows by rule', () => {
  const members: LikelyMemberView[] = [
    { ...base, id: 1, uniqueReference: 'A1', firstName: 'A', telephone: '01726 1', subPaid: 2400 },
    {
      ...base,
      id: 2,
      uniqueReference: 'A2',
      addressOne: '1 Quay St',
      subEndOn: '2100-01-01',
      email: 'ann@example.org',
    },
  ]
  const choices = groupChoices({ members }, '2026-11-21')
  expect(choices.survivorId).toBe(1)
  expect(Object.fromEntries(choices.differing.map(({ field, chosenId }) => [field, chosenId]))).toEqual({
    // The complete first name, although the other record is kept.
    firstName: 2,
    address: 1,
    uniqueReference: 1,
  })
  expect(choices.agreed).toEqual([
    { label: 'Last name', value: 'Lee' },
    { label: 'Email', value: 'ann@example.org' },
    { label: 'Telephone', value: '01726 1' },
  ])
  expect(choices.subscription).toBe('Print to 31/12/2026, £24.00')
  expect(choices.renewals).toBeNull()
  const renews = (on: string, amount: number) => ({ renewal: { on, price: { amount, currency: 'GBP' as const } } })
  const [firstMember, secondMember] = members as [LikelyMemberView, LikelyMemberView]
  const renewingMembers = [
    { ...firstMember, ...renews('2027-03-01', 2400) },
    { ...secondMember, ...renews('2027-01-01', 2900) },
  ]
  expect(groupChoices({ members: renewingMembers }, '2026-11-21').renewals).toEqual({
    chosenId: 1,
    options: [
      { readerId: 1, value: '£24.00 on 01/03/2027' },
      { readerId: 2, value: '£29.00 on 01/01/2027' },
    ],
  })
  expect(choices.optedOut).toEqual(['Publication offers by post'])
})

it('offers a full name that no record has, composed of the merged names, as the default', () => {
  const members: LikelyMemberView[] = [
    { ...base, id: 1, uniqueReference: 'A1', firstName: 'J', lastName: 'Jones', fullName: 'J Jones', subPaid: 2400 },
    { ...base, id: 2, uniqueReference: 'A1', firstName: 'Jane', lastName: 'Smith', fullName: 'Jane Smith' },
  ]
  const { differing } = groupChoices({ members }, '2026-11-21')
  expect(differing.find(({ field }) => field === 'fullName')).toMatchObject({
    chosenId: null,
    options: [
      { readerId: 1, value: 'J Jones' },
      { readerId: 2, value: 'Jane Smith' },
      { readerId: null, value: 'Jane Jones' },
    ],
  })
})
