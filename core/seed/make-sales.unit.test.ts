import { expect, it } from 'vitest'
import { defaultRenewalSettings } from '../agreements/dunning.rules.ts'
import { addDays } from '../kernel/calendar.ts'
import { demoPublications } from './demo-publications.ts'
import { makeSales } from './make-sales.ts'
import { makeRandom } from './random.ts'

it('leaves at least three recurring terms unpaid within the grace period, whatever the day', () => {
  const days = Array.from({ length: 10 }, (_, index) => addDays('2026-01-05', index * 37))
  const readersByDay = days.map((today) => {
    const numbers = new Set<string>()
    const sales = demoPublications.flatMap((publication, index) =>
      makeSales(makeRandom(index), publication, today, numbers),
    )
    const isInGrace = (endsOn: string) => endsOn <= today && addDays(endsOn, defaultRenewalSettings.graceDays) > today
    const unpaidSales = sales.filter(({ isRecurring, customer }) => isRecurring && isInGrace(customer.subEndOn))
    return { today, readers: new Set(unpaidSales.map(({ customer }) => customer)).size }
  })
  expect(readersByDay.filter(({ readers }) => readers < 3)).toEqual([])
})
