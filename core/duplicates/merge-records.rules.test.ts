import fc from 'fast-check'
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

const idsBySurvival = (...records: MergeRecord[]) => bySurvival(records).map(({ id }) => id)

describe('the survivor', () => {
  it.each<[string, Partial<MergeRecord>, Partial<MergeRecord>]>([
    ['active before deactivated', { isDeleted: true, subPaid: 1000, subEndOn: '2028-01-01' }, {}],
    ['paid before free, however long', { subEndOn: '2100-01-01' }, { subPaid: 1000 }],
    ['longer before shorter', { subPaid: 5000 }, { subPaid: 1000, subEndOn: '2027-01-01' }],
    ['subscribed before none', { subType: '', subEndOn: '2100-01-01', subPaid: 100 }, {}],
    ['more complete before less', { email: '' }, { email: 'a@example.org', telephone: '1' }],
  ])('%s', (_, loser, winner) => {
    expect(idsBySurvival(record(1, loser), record(2, winner))).toEqual([2, 1])
  })

  it('is the oldest when nothing else decides', () => {
    expect(idsBySurvival(record(3), record(1), record(2))).toEqual([1, 2, 3])
  })
})

describe('the merged record', () => {
  it('fills blanks in order, and uses the chosen values', () => {
    const records = [record(1, { email: '', telephone: '1' }), record(2, { email: 'b@example.org', telephone: '2' }), record(3, { email: 'c@example.org' })] as const // biome-ignore format: a row
    const [survivor, ...others] = records
    expect(mergedFields(survivor, others, {}, today)).toMatchObject({ email: 'b@example.org', telephone: '1' })
    expect(mergedFields(survivor, others, { email: 3, telephone: 2 }, today)).toMatchObject({
      email: 'c@example.org',
      telephone: '2',
    })
    // A blank may be chosen too.
    expect(mergedFields(survivor, others, { telephone: 3 }, today).telephone).toBe('')
  })

  it('never prefers an initial to a known first name', () => {
    const initial = record(1, { firstName: 'R.', fullName: 'R. Lee' })
    const full = record(2, { firstName: 'Robert', fullName: 'Robert Lee' })
    expect(mergedFields(initial, [full], {}, today)).toMatchObject({ firstName: 'Robert', fullName: 'Robert Lee' })
    expect(mergedFields(initial, [{ ...full, firstName: 'Anna' }], {}, today).firstName).toBe('R.')
    expect(mergedFields(initial, [full], { firstName: 1 }, today).firstName).toBe('R.')
  })

  it('never mixes two addresses, but takes a missing postcode from the same house', () => {
    const incomplete = record(1, { addressOne: '1 High Street', city: 'Ely' })
    const sameHouse = record(2, { addressOne: '1 HIGH STREET.', city: 'Ely', postCode: 'CB7 4AA' })
    const otherHouse = record(3, { addressOne: '9 Quay', addressTwo: 'Polruan', city: 'Fowey', postCode: 'PL23 1AQ' })
    expect(mergedFields(incomplete, [otherHouse], {}, today)).toMatchObject({
      addressOne: '1 High Street',
      addressTwo: '',
      postCode: '',
    })
    expect(mergedFields(incomplete, [otherHouse, sameHouse], {}, today)).toMatchObject({
      city: 'Ely',
      postCode: 'CB7 4AA',
    })
    expect(mergedFields(incomplete, [otherHouse], { address: 3 }, today)).toMatchObject({
      addressOne: '9 Quay',
      city: 'Fowey',
      postCode: 'PL23 1AQ',
    })
    // An entered address is never replaced by a blank one.
    expect(mergedFields(incomplete, [record(5)], { address: 5 }, today)).toMatchObject({ addressOne: '1 High Street' })
    expect(mergedFields(record(4), [otherHouse], {}, today)).toMatchObject({
      addressOne: '9 Quay',
      postCode: 'PL23 1AQ',
    })
  })

  it('composes the full name again if a part of it is filled or chosen, without a title that it did not have', () => {
    const surnameOnly = record(1, { firstName: '', lastName: 'Jones', fullName: 'Jones' })
    const fullyNamed = record(2, { title: 'Ms', firstName: 'Jane', lastName: 'Jones', fullName: 'Ms Jane Jones' })
    expect(mergedFields(surnameOnly, [fullyNamed], {}, today)).toMatchObject({
      firstName: 'Jane',
      fullName: 'Jane Jones',
    })
    expect(mergedFields({ ...surnameOnly, fullName: 'The Joneses' }, [fullyNamed], {}, today).fullName).toBe(
      'The Joneses',
    )
    const bob = record(3, { firstName: 'Bob', lastName: 'Jones', fullName: 'Bob Jones' })
    const robert = record(4, { firstName: 'Robert', lastName: 'Jones', fullName: 'Bob Jones' })
    expect(mergedFields(bob, [robert], { firstName: 4 }, today).fullName).toBe('Robert Jones')
  })

  it('never combines a full name with another surname', () => {
    const married = record(1, { title: 'Ms', firstName: 'J', lastName: 'Jones', fullName: 'J Jones' })
    const former = record(2, { firstName: 'Jane', lastName: 'Smith', fullName: 'Jane Smith' })
    expect(mergedFields(married, [former], {}, today)).toMatchObject({
      firstName: 'Jane',
      lastName: 'Jones',
      fullName: 'Jane Jones',
    })
    const typed = { ...married, fullName: 'Councillor Jones' }
    expect(mergedFields(typed, [former], {}, today).fullName).toBe('Councillor Jones')
    expect(mergedFields({ ...married, fullName: '' }, [former], {}, today).fullName).toBe('')
    expect(mergedFields(married, [former], { fullName: 2 }, today).fullName).toBe('Jane Smith')
    expect(mergedFields(married, [former], { lastName: 2 }, today)).toMatchObject({ lastName: 'Smith', fullName: 'Jane Smith' }) // biome-ignore format: a row
    const titled = { ...former, title: 'Ms' }
    expect(mergedFields(titled, [married], { lastName: 1 }, today).fullName).toBe('Jane Jones')
    expect(mergedFields({ ...titled, fullName: 'Dr Smith' }, [married], { lastName: 1 }, today).fullName).toBe(
      'Dr Smith',
    )
  })

  it('never takes the town or postcode of another house with the same first line', () => {
    const flat = { addressOne: 'Flat 2', addressTwo: 'Holly House', city: 'Leeds' }
    const earlier = { addressOne: 'Flat 2', addressTwo: 'Elm Court', city: 'York', postCode: 'YO1 7HH' }
    const merged = (survivor: Partial<MergeRecord>, ...others: Partial<MergeRecord>[]) =>
      mergedFields(record(1, survivor), others.map((other, index) => record(index + 2, other)), {}, today, 'GB') // biome-ignore format: a row
    expect(merged(flat, earlier)).toMatchObject({ ...flat, postCode: '' })
    const street = { addressOne: '1 High Street', city: 'Leeds' }
    expect(merged(street, { ...street, city: 'York', postCode: 'YO1 7HH' }).postCode).toBe('')
    // Two blank first lines are not the same house.
    expect(merged({ addressTwo: '9 Quay' }, { addressThree: 'Polruan', postCode: 'PL23 1AQ' }).postCode).toBe('')
    expect(merged({ addressTwo: '9 Quay' }, { addressOne: '1 Hill', postCode: 'PL23 1AQ' }).postCode).toBe('')
    // A blank country is the home country.
    expect(merged(street, { ...street, country: 'US', postCode: '10001' })).toMatchObject({ country: '', postCode: '' })
    expect(merged(street, { ...street, country: 'GB', postCode: 'LS1 1AA' })).toMatchObject({ country: '', postCode: 'LS1 1AA' }) // biome-ignore format: a row
    // Halves of two other addresses are not combined either.
    expect(
      merged({ addressOne: '1 High Street' }, { ...street, city: 'Ely' }, { ...street, postCode: 'LS1 1AA' }),
    ).toMatchObject({ city: 'Ely', postCode: '' })
  })

  it('keeps the stricter of each of the eight consents', () => {
    for (const { field } of optOuts) {
      const merged = mergedFields(record(1), [record(2, { [field]: true })], {}, today)
      expect(optOuts.filter((flag) => merged[flag.field]).map((flag) => flag.field)).toEqual([field])
    }
  })

  it('keeps one subscription whole: its payment stays with its own days', () => {
    const paid = record(1, { subPaid: 1000, subEndOn: '2026-12-01' })
    const longer = record(2, { subStartOn: '2025-01-01', subEndOn: '2027-06-01', subRenewOn: '2027-05-01' })
    const paidTerm = { subType: 'print', subStartOn: '2026-01-01', subEndOn: '2026-12-01', subPaid: 1000 }
    expect(mergedFields(paid, [longer], {}, today)).toMatchObject(paidTerm)
    expect(mergedFields(longer, [paid], {}, today)).toMatchObject(paidTerm)
    expect(mergedFields(paid, [{ ...longer, subType: 'digital' }], {}, today)).toMatchObject({
      ...paidTerm,
      subType: 'bundle',
    })
    const over = record(3, { subType: 'digital', subStartOn: '2020-01-01', subEndOn: '2021-01-01', subPaid: 500 })
    expect(mergedFields(paid, [over], {}, today)).toMatchObject(paidTerm)
    // The paid term is over: the running free term is kept, without an amount paid.
    expect(mergedFields(over, [longer], {}, today)).toMatchObject({ subType: 'print', subEndOn: '2027-06-01', subPaid: null }) // biome-ignore format: a row
    expect(mergedFields(record(4, { subType: '' }), [paid], {}, today)).toMatchObject(paidTerm)
    expect(mergedFields(record(4, { subType: '' }), [record(5, { subType: '' })], {}, today).subType).toBe('')
  })

  it('never lets a blank day win over a known one, unless the paid term has it', () => {
    const blank = record(1, { subStartOn: '1970-01-01', subEndOn: '2100-01-01', subRenewOn: '2100-01-01' })
    const dated = record(2, { subStartOn: '2026-02-01', subEndOn: '2027-01-31', subRenewOn: '2027-01-01' })
    for (const merged of [mergedFields(blank, [dated], {}, today), mergedFields(dated, [blank], {}, today)])
      expect(merged).toMatchObject({ subStartOn: '2026-02-01', subEndOn: '2027-01-31', subRenewOn: '2027-01-01' })
    const noStart = record(3, { subStartOn: '1970-01-01', subEndOn: '2028-01-31' })
    expect(mergedFields(noStart, [dated], {}, today)).toMatchObject({ subStartOn: '2026-02-01', subEndOn: '2028-01-31' }) // biome-ignore format: a row
    const paid = record(4, { subStartOn: '1970-01-01', subEndOn: '2026-12-31', subPaid: 900 })
    expect(mergedFields(dated, [paid], {}, today)).toMatchObject({ subStartOn: '1970-01-01', subEndOn: '2026-12-31', subPaid: 900 }) // biome-ignore format: a row
  })

  it('runs from the earliest start when a free term that runs is merged with one that begins later', () => {
    const running = record(1, { subStartOn: '2025-01-01', subEndOn: '2026-12-31' })
    const later = record(2, { subStartOn: '2027-02-01', subEndOn: '2028-01-31' })
    const joined = { subType: 'print', subStartOn: '2025-01-01', subEndOn: '2028-01-31', subPaid: null }
    expect(mergedFields(running, [later], {}, today)).toMatchObject(joined)
    expect(mergedFields(later, [running], {}, today)).toMatchObject(joined)
    expect(mergedFields(later, [{ ...running, subPaid: 0 }], {}, today)).toMatchObject(joined)
    // A blank start is before any other, and until further notice runs too.
    const blank = { subStartOn: '1970-01-01', subEndOn: '2100-01-01' }
    expect(mergedFields(later, [record(3, blank)], {}, today)).toMatchObject({ subStartOn: '1970-01-01', subEndOn: '2028-01-31' }) // biome-ignore format: a row
    // Print now and digital later: the bundle starts with the first of them.
    expect(mergedFields(record(4, { ...later, subType: 'digital' }), [running], {}, today)).toMatchObject({ ...joined, subType: 'bundle' }) // biome-ignore format: a row
    // What has ended does not move the start, nor does it begin earlier when nothing runs.
    const over = record(5, { subStartOn: '2020-01-01', subEndOn: '2020-12-31' })
    expect(mergedFields(running, [over], {}, today)).toMatchObject({ subStartOn: '2025-01-01' })
    expect(mergedFields(later, [over], {}, today)).toMatchObject({ subStartOn: '2027-02-01', subEndOn: '2028-01-31' })
    // A paid term keeps its own days.
    expect(mergedFields({ ...later, subPaid: 900 }, [running], {}, today)).toMatchObject({ subStartOn: '2027-02-01', subPaid: 900 }) // biome-ignore format: a row
  })

  it('keeps the product that runs until further notice when only the other one has ended', () => {
    const over = record(1, { subStartOn: '2025-01-01', subEndOn: '2026-01-31', subPaid: 4900 })
    const digital = record(2, { subType: 'digital', subStartOn: '1970-01-01', subEndOn: '2100-01-01', subPaid: null })
    const merged = mergedFields(over, [digital], {}, today)
    expect(merged).toMatchObject({ subType: 'digital', subStartOn: '1970-01-01', subEndOn: '2100-01-01', subPaid: null }) // biome-ignore format: a row
    // A blank end never extends a product that has an end.
    expect(mergedFields(over, [{ ...digital, subType: 'print' }], {}, today)).toMatchObject({ subEndOn: '2026-01-31', subPaid: 4900 }) // biome-ignore format: a row
    const running = record(3, { subEndOn: '2027-01-31' })
    expect(mergedFields(running, [digital], {}, today)).toMatchObject({ subType: 'bundle', subEndOn: '2027-01-31' })
  })

  it('never lets a blank end extend what ended as part of a bundle, or what ended while another product still runs', () => {
    const blank = { subStartOn: '1970-01-01', subEndOn: '2100-01-01', subPaid: null } as const
    const print = record(1, { ...blank, subType: 'print' })
    const digital = record(2, { ...blank, subType: 'digital' })
    const overBundle = record(3, { subType: 'bundle', subStartOn: '2025-01-01', subEndOn: '2026-01-31' })
    expect(mergedFields(print, [digital, overBundle], {}, today)).toMatchObject({ subType: 'bundle', subEndOn: '2026-01-31' }) // biome-ignore format: a row
    expect(mergedFields(digital, [overBundle], {}, today)).toMatchObject({ subType: 'bundle', subEndOn: '2026-01-31' })
    const overPrint = record(4, { subType: 'print', subStartOn: '2025-01-01', subEndOn: '2026-01-31' })
    expect(mergedFields(print, [digital, overPrint], {}, today)).toMatchObject({ subType: 'digital', subEndOn: '2100-01-01' }) // biome-ignore format: a row
  })

  it('never combines one record’s payment with another’s days', () => {
    const day = fc.constantFrom('1970-01-01', '2024-03-01', '2025-12-31', '2026-11-20', '2027-01-01', '2028-06-30')
    const end = fc.constantFrom('2025-01-31', '2026-11-21', '2026-12-31', '2028-06-30', '2100-01-01')
    const term = fc
      .record({
        subType: fc.constantFrom('' as const, 'print' as const, 'digital' as const, 'bundle' as const),
        subStartOn: day,
        subEndOn: end,
        subRenewOn: end,
        subPaid: fc.constantFrom(null, 0, 900, 2500),
        subCurrency: fc.constantFrom('GBP', 'EUR'),
      })
      .filter(({ subStartOn, subEndOn }) => subStartOn <= subEndOn)
    const termKey = ({ subStartOn, subEndOn, subRenewOn, subPaid, subCurrency }: Partial<MergeRecord>) =>
      JSON.stringify([subStartOn, subEndOn, subRenewOn, subPaid, subCurrency])
    fc.assert(
      fc.property(fc.array(term, { minLength: 2, maxLength: 5 }), (terms) => {
        const [survivor, ...others] = terms.map((fields, index) => record(index + 1, fields)) as [MergeRecord, ...MergeRecord[]] // biome-ignore format: a row
        const merged = mergedFields(survivor, others, {}, today)
        const subscribed = terms.filter(({ subType }) => subType !== '')
        if (subscribed.length === 0) return
        if ((merged.subPaid ?? 0) > 0) expect(subscribed.map(termKey)).toContain(termKey(merged))
        const isPaid = ({ subPaid, subEndOn }: { subPaid: number | null; subEndOn: string }) =>
          (subPaid ?? 0) > 0 && subEndOn >= today
        // Of free terms, one that runs is never put off nor shortened.
        if (!subscribed.some(isPaid)) {
          const current = subscribed.filter(
            ({ subStartOn, subEndOn }) => subStartOn <= today && subEndOn >= today && subEndOn !== '2100-01-01',
          )
          const isSame = ({ subType }: { subType: string }) => merged.subType === 'bundle' || subType === merged.subType
          if (current.some(isSame)) expect(merged.subStartOn <= today && merged.subEndOn >= today).toBe(true)
          for (const { subEndOn } of current.filter(isSame)) expect(merged.subEndOn >= subEndOn).toBe(true)
        }
        // A paid, running term is never discarded.
        if (subscribed.some(isPaid)) expect(isPaid(merged)).toBe(true)
        // A product's default end never wins over an entered one of the same product or of a bundle, nor over a running one.
        else if (
          subscribed.some(
            ({ subEndOn, subType }) =>
              subEndOn !== '2100-01-01' && (subType === merged.subType || subType === 'bundle' || subEndOn >= today),
          )
        )
          expect(merged.subEndOn).not.toBe('2100-01-01')
      }),
      { numRuns: 2000 },
    )
  })

  it('joins histories without repeating a line, and is active when one record was', () => {
    const merged = mergedFields(
      record(1, { history: 'Rang in May\nMoved\n', isDeleted: true }),
      [record(2, { history: 'Moved\nWrote in June' })],
      {},
      today,
    )
    expect(merged).toMatchObject({ history: 'Rang in May\nMoved\nWrote in June', isDeleted: false })
  })
})
