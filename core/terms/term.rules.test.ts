import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths } from '../kernel/calendar.ts'
import { type Day, openEnd } from '../kernel/dates.ts'
import { termLengths } from '../pricing/plan-code.rules.ts'
import { newTerm, type SubscriptionTerm, shiftedLastDay, termState } from './term.rules.ts'

const today = '2026-11-21'
const running: SubscriptionTerm = {
  subType: 'print',
  subStartOn: '2026-03-01',
  subEndOn: '2027-03-01',
  subAnchorDay: 1,
}
const yearOf = (product: 'print' | 'digital' | 'bundle') => ({ product, termMonths: 12 as const })
const print = (termMonths: 1 | 3 | 6 | 12) => ({ product: 'print' as const, termMonths })

describe('a subscription', () => {
  const held = { subType: 'print', subStartOn: '2026-01-01', subEndOn: '2026-11-21' }

  it('includes its last day, and an open end counts as current', () => {
    expect(termState(held, '2026-11-21')).toBe('current')
    expect(termState(held, '2026-11-22')).toBe('expired')
    expect(termState(held, '2025-12-31')).toBe('future')
    expect(termState({ ...held, subEndOn: openEnd }, '2101-01-01')).toBe('current')
    expect(termState({ ...held, subType: '' }, '2026-05-01')).toBe('none')
  })
})

describe('a new term', () => {
  it('starts today for a new reader and after a term that is over', () => {
    const reader = { subStartOn: today, subEndOn: '2027-11-21', subAnchorDay: 21 }
    const fresh = { startOn: today, endOn: '2027-11-21', reader }
    expect(newTerm(null, yearOf('print'), today)).toEqual(fresh)
    expect(newTerm({ ...running, subEndOn: '2026-11-20' }, yearOf('digital'), today)).toEqual(fresh)
    expect(newTerm({ ...running, subType: '', subEndOn: openEnd }, yearOf('print'), today)).toEqual(fresh)
  })

  it('of a year, bought on 22/11/2026, runs to 22/11/2027, and the next from 23/11/2027 to 22/11/2028', () => {
    const firstTerm = newTerm(null, yearOf('print'), '2026-11-22')
    expect(firstTerm).toMatchObject({ startOn: '2026-11-22', endOn: '2027-11-22' })
    const held = { subType: 'print' as const, ...(firstTerm?.reader as NonNullable<typeof firstTerm>['reader']) }
    for (const on of ['2026-11-22', '2027-05-01', '2027-11-22'])
      expect(newTerm(held, yearOf('print'), on)).toEqual({
        startOn: '2027-11-23',
        endOn: '2028-11-22',
        reader: { subStartOn: '2026-11-22', subEndOn: '2028-11-22', subAnchorDay: 22 },
      })
    expect(newTerm(held, yearOf('print'), '2027-11-23')).toMatchObject({ startOn: '2027-11-23', endOn: '2028-11-23' })
  })

  it('ends on the anchor day of the first term: 31 January, 28 February, 31 March', () => {
    const ends: Day[] = []
    let held: SubscriptionTerm | null = null
    for (let n = 0; n < 4; n++) {
      const term = newTerm(held, print(1), '2026-12-31')
      ends.push(term?.endOn ?? '')
      held = { subType: 'print', ...(term?.reader as NonNullable<typeof term>['reader']) }
    }
    expect(ends).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'])
  })

  it.each([
    // Older files and records have no anchor day: the start's day of the month is used if the end matches it, else the end's.
    ['2026-01-31', '2026-02-28', null, '2026-03-31'],
    ['2026-01-01', '2026-12-31', null, '2027-01-31'],
    ['1970-01-01', '2027-02-28', null, '2027-03-28'],
    // The reader's end has since been changed.
    ['2026-01-31', '2027-06-15', 31, '2027-07-15'],
    ['2026-01-15', '2027-02-28', 31, '2027-03-31'],
  ])('after one from %s to %s with the anchor %s ends on %s', (subStartOn, subEndOn, subAnchorDay, endOn) => {
    const held = { subType: 'print' as const, subStartOn, subEndOn, subAnchorDay }
    expect(newTerm(held, print(1), '2026-02-01')).toMatchObject({ startOn: addDays(subEndOn, 1), endOn })
  })

  it('of a bundle continues from the running print or digital', () => {
    expect(newTerm(running, yearOf('bundle'), today)).toMatchObject({ startOn: '2027-03-02', endOn: '2028-03-01' })
  })

  it('needs a separate record alongside another product, until that one’s last day', () => {
    expect(newTerm(running, yearOf('digital'), today)).toBeNull()
    expect(newTerm({ ...running, subEndOn: today }, yearOf('digital'), today)).toBeNull()
    expect(newTerm({ ...running, subType: 'bundle' }, yearOf('print'), today)).toBeNull()
  })

  it('never shortens an open-ended subscription', () => {
    const open = { ...running, subEndOn: openEnd, subAnchorDay: null }
    expect(newTerm(open, yearOf('print'), today)).toEqual({
      startOn: today,
      endOn: '2027-11-21',
      reader: { subStartOn: '2026-03-01', subEndOn: openEnd, subAnchorDay: null },
    })
    expect(newTerm(open, yearOf('digital'), today)).toBeNull()
  })

  it('begins on the chosen day only where it follows no running one', () => {
    const startOn = '2027-06-01'
    expect(newTerm(running, yearOf('print'), today, startOn)).toEqual(newTerm(running, yearOf('print'), today))
    expect(newTerm(running, yearOf('digital'), today, startOn)).toBeNull()
    const ended = { ...running, subEndOn: '2026-11-20' }
    for (const current of [null, ended])
      expect(newTerm(current, yearOf('print'), today, startOn)).toMatchObject({ startOn, endOn: '2028-06-01' })
    // A bundle from a later day does not end an open subscription today.
    const open = { ...running, subEndOn: openEnd, subAnchorDay: null }
    expect(newTerm(open, yearOf('bundle'), today)).toMatchObject({ startOn: today })
    expect(newTerm(open, yearOf('bundle'), today, startOn)).toBeNull()
  })

  it('is until further notice for a free plan', () => {
    const free = { product: 'digital', termMonths: null } as const
    expect(newTerm(null, free, today)).toMatchObject({ startOn: today, endOn: openEnd, reader: { subEndOn: openEnd } })
    expect(newTerm({ ...running, subType: 'digital' }, free, today)).toMatchObject({
      reader: { subStartOn: '2026-03-01', subEndOn: openEnd },
    })
  })
})

describe('any sequence of renewals', () => {
  const day = fc.integer({ min: 0, max: 8000 }).map((days) => addDays('2020-01-01', days))
  const lengthsOfTerms = fc.array(fc.constantFrom(...termLengths), { minLength: 1, maxLength: 30 })

  it('never drifts, counts no day twice and leaves none out', () => {
    fc.assert(
      fc.property(
        day,
        lengthsOfTerms,
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (firstDay, lengths, keepsAnchor, fraction) => {
          let held: SubscriptionTerm | null = null
          let months = 0
          for (const length of lengths) {
            // Bought at any time while the previous term runs, its last day included.
            const on: Day = held === null ? firstDay : boughtOn(held, fraction)
            const term = newTerm(held, print(length), on)
            months += length
            expect(term?.startOn).toBe(held === null ? firstDay : addDays(held.subEndOn, 1))
            expect(term?.endOn).toBe(addMonths(firstDay, months))
            const reader = term?.reader as NonNullable<typeof term>['reader']
            held = { subType: 'print', ...reader, subAnchorDay: keepsAnchor ? reader.subAnchorDay : null }
          }
        },
      ),
    )
  })

  function boughtOn({ subStartOn, subEndOn }: SubscriptionTerm, fraction: number): Day {
    const days = Math.round((Date.parse(subEndOn) - Date.parse(subStartOn)) / 86_400_000)
    return addDays(subStartOn, Math.floor(days * fraction))
  }
})

describe('a last day moved by months', () => {
  it.each([
    ['forward', '2027-02-28', 1, '2027-03-31'],
    ['back', '2028-02-29', -1, '2028-01-31'],
    ['by a year from a leap day', '2028-02-29', -12, '2027-02-28'],
  ])('keeps the day of the month of the first term, %s', (_, lastDay, months, movedDay) => {
    for (const record of [
      { subStartOn: '2026-10-31', subAnchorDay: null },
      { subStartOn: '2026-10-05', subAnchorDay: 31 },
    ])
      expect(shiftedLastDay(lastDay, months, record)).toBe(movedDay)
  })
})
