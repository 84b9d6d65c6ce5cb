import { expect, it } from 'vitest'
import { defaultRenewalSettings } from '../agreements/dunning.rules.ts'
import { addDays } from '../kernel/calendar.ts'
import { demoPublications } from './demo-publications.ts'
import { makeSales } from './make-sales.ts'
import { makeRandom } from './random.ts'

it('leaves at least three recurring terms unpaid within the grace period, whatever the day', () => {
  const days = Array.from({ length: 10 }, (_, at) => addDays('2026-01-05', at * 37))
  const unpaid = days.map((today) => {
    const numbers = new Set<string>()
    const sales = demoPublications.flatMap((publication, at) => makeSales(makeRandom(at), publication, today, numbers))
    const ended = (on: string) => on <= today && addDays(on, defaultRenewalSettings.graceDays) > today
    const customers = sales.filter(({ isRecurring, customer }) => isRecurring && ended(customer.subEndOn))
    return { today, readers: new Set(customers.map(({ customer }) => customer)).size }
  })
  expect(unpaid.filter(({ readers }) => readers < 3)).toEqual([])
})
