import { describe, expect, it } from 'vitest'
import { openEnd } from '../kernel/dates.ts'
import { newTerm } from './term.rules.ts'

const today = '2026-11-21'
const running = { subType: 'print', subStartOn: '2026-03-01', subEndOn: '2027-03-01' } as const
const yearOf = (product: 'print' | 'digital' | 'bundle') => ({ product, termMonths: 12 as const })

describe('a new term', () => {
  it('starts today for a new reader and after a term that is over', () => {
    const fresh = { startOn: today, endOn: '2027-11-21', reader: { subStartOn: today, subEndOn: '2027-11-21' } }
    expect(newTerm(null, yearOf('print'), today)).toEqual(fresh)
    expect(newTerm({ ...running, subEndOn: '2026-11-20' }, yearOf('digital'), today)).toEqual(fresh)
    expect(newTerm({ ...running, subEndOn: today }, yearOf('print'), today)).toEqual(fresh)
    expect(newTerm({ ...running, subType: '', subEndOn: openEnd }, yearOf('print'), today)).toEqual(fresh)
  })

  it('goes on from the end of a running one, so that no day is paid twice', () => {
    expect(newTerm(running, yearOf('print'), today)).toEqual({
      startOn: '2027-03-01',
      endOn: '2028-03-01',
      reader: { subStartOn: '2026-03-01', subEndOn: '2028-03-01' },
    })
    expect(newTerm(running, yearOf('bundle'), today)).toMatchObject({ startOn: '2027-03-01', endOn: '2028-03-01' })
  })

  it('needs a record of its own beside another product', () => {
    expect(newTerm(running, yearOf('digital'), today)).toBeNull()
    expect(newTerm({ ...running, subType: 'bundle' }, yearOf('print'), today)).toBeNull()
  })

  it('never shortens what somebody has until further notice', () => {
    expect(newTerm({ ...running, subEndOn: openEnd }, yearOf('print'), today)).toEqual({
      startOn: today,
      endOn: '2027-11-21',
      reader: { subStartOn: '2026-03-01', subEndOn: openEnd },
    })
    expect(newTerm({ ...running, subEndOn: openEnd }, yearOf('digital'), today)).toBeNull()
  })

  it('is until further notice for a free plan', () => {
    const free = { product: 'digital', termMonths: null } as const
    expect(newTerm(null, free, today)).toMatchObject({ startOn: today, endOn: openEnd, reader: { subEndOn: openEnd } })
    expect(newTerm({ ...running, subType: 'digital' }, free, today)).toMatchObject({
      reader: { subStartOn: '2026-03-01', subEndOn: openEnd },
    })
  })

  it('keeps the last day of the month', () => {
    expect(newTerm(null, { product: 'print', termMonths: 3 }, '2026-11-30')).toMatchObject({ endOn: '2027-02-28' })
  })
})
