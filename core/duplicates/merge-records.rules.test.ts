import { describe, expect, it } from 'vitest'
import { type OptOuts, optOuts } from '../readers/opt-outs.rules.ts'
import { bySurvival, type MergeChoice, type MergeRecord, mergeChoices, mergedFields } from './merge-records.rules.ts'

const today = '2026-11-21'

function record(id: number, fields: Partial<MergeRecord> = {}): MergeRecord {
  return {
    ...(Object.fromEntries(mergeChoices.map((field) => [field, ''])) as Record<
      Exclude<MergeChoice, 'address'>,
      string
    >),
    addressOne: '',
    addressTwo: '',
    addressThree: '',
    addressFour: '',
    city: '',
    state: '',
    postCode: '',
    country: '',
    ...(Object.fromEntries(optOuts.map(({ field }) => [field, false])) as OptOuts),
    isDeleted: false,
    subType: 'print',
    subStartOn: '2026-01-01',
    subEndOn: '2026-12-31',
    subRenewOn: '2026-12-31',
    subPaid: null,
    subCurrency: 'GBP',
    history: '',
    ...fields,
    id,
  }
}

const order = (...records: MergeRecord[]) => bySurvival(records).map(({ id }) => id)

describe('who survives', () => {
  it.each<[string, Partial<MergeRecord>, Partial<MergeRecord>]>([
    ['active before deactivated', { isDeleted: true, subPaid: 1000, subEndOn: '2028-01-01' }, {}],
    ['paid before free, however long', { subEndOn: '2100-01-01' }, { subPaid: 1000 }],
    ['longer before shorter', { subPaid: 5000 }, { subPaid: 1000, subEndOn: '2027-01-01' }],
    ['subscribed before none', { subType: '', subEndOn: '2100-01-01', subPaid: 100 }, {}],
    ['more complete before less', { email: '' }, { email: 'a@example.org', telephone: '1' }],
  ])('%s', (_, loser, winner) => {
    expect(order(record(1, loser), record(2, winner))).toEqual([2, 1])
  })

  it('is the oldest where nothing else decides', () => {
    expect(order(record(3), record(1), record(2))).toEqual([1, 2, 3])
  })
})

describe('what it says afterwards', () => {
  it('fills blanks in order, and takes what was chosen', () => {
    const all = [record(1, { email: '', telephone: '1' }), record(2, { email: 'b@example.org', telephone: '2' }), record(3, { email: 'c@example.org' })] as const // biome-ignore format: a row
    const [survivor, ...others] = all
    expect(mergedFields(survivor, others, {}, today)).toMatchObject({ email: 'b@example.org', telephone: '1' })
    expect(mergedFields(survivor, others, { email: 3, telephone: 2 }, today)).toMatchObject({
      email: 'c@example.org',
      telephone: '2',
    })
    // A blank may be chosen too.
    expect(mergedFields(survivor, others, { telephone: 3 }, today).telephone).toBe('')
  })

  it('calls nobody by an initial whose name is known', () => {
    const initial = record(1, { firstName: 'R.', fullName: 'R. Lee' })
    const named = record(2, { firstName: 'Robert', fullName: 'Robert Lee' })
    expect(mergedFields(initial, [named], {}, today)).toMatchObject({ firstName: 'Robert', fullName: 'Robert Lee' })
    expect(mergedFields(initial, [{ ...named, firstName: 'Anna' }], {}, today).firstName).toBe('R.')
    expect(mergedFields(initial, [named], { firstName: 1 }, today).firstName).toBe('R.')
  })

  it('never mixes two addresses, but takes a missing postcode of the same house', () => {
    const one = record(1, { addressOne: '1 High Street', city: 'Ely' })
    const same = record(2, { addressOne: '1 HIGH STREET.', city: 'Ely', postCode: 'CB7 4AA' })
    const other = record(3, { addressOne: '9 Quay', addressTwo: 'Polruan', city: 'Fowey', postCode: 'PL23 1AQ' })
    expect(mergedFields(one, [other], {}, today)).toMatchObject({
      addressOne: '1 High Street',
      addressTwo: '',
      postCode: '',
    })
    expect(mergedFields(one, [other, same], {}, today)).toMatchObject({ city: 'Ely', postCode: 'CB7 4AA' })
    expect(mergedFields(one, [other], { address: 3 }, today)).toMatchObject({
      addressOne: '9 Quay',
      city: 'Fowey',
      postCode: 'PL23 1AQ',
    })
    expect(mergedFields(record(4), [other], {}, today)).toMatchObject({ addressOne: '9 Quay', postCode: 'PL23 1AQ' })
  })

  it('keeps the stricter of each of the eight consents', () => {
    for (const { field } of optOuts) {
      const merged = mergedFields(record(1), [record(2, { [field]: true })], {}, today)
      expect(optOuts.filter((flag) => merged[flag.field]).map((flag) => flag.field)).toEqual([field])
    }
  })

  it('never shortens a subscription, nor takes one away', () => {
    const paid = record(1, { subPaid: 1000, subEndOn: '2026-12-01' })
    const longer = record(2, { subStartOn: '2025-01-01', subEndOn: '2027-06-01', subRenewOn: '2027-05-01' })
    expect(mergedFields(paid, [longer], {}, today)).toMatchObject({
      subType: 'print',
      subStartOn: '2025-01-01',
      subEndOn: '2027-06-01',
      subRenewOn: '2027-05-01',
      subPaid: 1000,
    })
    expect(mergedFields(paid, [{ ...longer, subType: 'digital' }], {}, today).subType).toBe('bundle')
    const over = record(3, { subType: 'digital', subStartOn: '2020-01-01', subEndOn: '2021-01-01' })
    expect(mergedFields(paid, [over], {}, today)).toMatchObject({ subType: 'print', subEndOn: '2026-12-01' })
    expect(mergedFields(record(4, { subType: '' }), [paid], {}, today)).toMatchObject({
      subType: 'print',
      subPaid: 1000,
    })
    expect(mergedFields(record(4, { subType: '' }), [record(5, { subType: '' })], {}, today).subType).toBe('')
  })

  it('joins histories without saying a line twice, and is active when one of them was', () => {
    const merged = mergedFields(
      record(1, { history: 'Rang in May\nMoved\n', isDeleted: true }),
      [record(2, { history: 'Moved\nWrote in June' })],
      {},
      today,
    )
    expect(merged).toMatchObject({ history: 'Rang in May\nMoved\nWrote in June', isDeleted: false })
  })
})
