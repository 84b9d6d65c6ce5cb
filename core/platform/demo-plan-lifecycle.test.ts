import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { planByKey } from '#core/pricing/publisher-plans.rules.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { makeDemoPlanLifecycle } from './demo-plan-lifecycle.ts'

const services = await openTestServices()
const lifecycle = makeDemoPlanLifecycle(services.db, services.now)

async function startPlan(day: string): Promise<string> {
  services.clock.now = new Date(`${day}T10:00:00Z`)
  const plan = planByKey('standard-1')
  if (!plan) throw new Error('The plan is not sold')
  const started = await lifecycle.start({
    plan,
    isTaxed: true,
    couponId: null,
    percentOff: 0,
    customerReference: null,
    email: 'press@example.test',
    name: 'Press',
    returnUrl: '',
    cancelUrl: '',
    cardNumber: demoCards.paid,
    idempotencyKey: randomUUID(),
  })
  return 'subscriptionReference' in started ? started.subscriptionReference : ''
}

const endOfMonth = async (reference: string) =>
  (await lifecycle.lookUp(reference))?.periodEndsAt.toISOString().slice(0, 10)

it.each([
  ['2027-01-31', ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
  ['2027-01-29', ['2027-02-28', '2027-03-29', '2027-04-29', '2027-05-29']],
  ['2026-12-15', ['2027-01-15', '2027-02-15', '2027-03-15', '2027-04-15']],
])('a plan from %s ends each month on that day, or on the last day of a shorter one', async (start, ends) => {
  const reference = await startPlan(start)
  const found: unknown[] = []
  for (const end of ends) {
    found.push(await endOfMonth(reference))
    services.clock.now = new Date(`${end}T10:00:00Z`)
  }
  expect(found).toEqual(ends)
})

it('a plan whose clock is advanced ends its months a month apart', async () => {
  const reference = await startPlan('2027-01-31')
  await lifecycle.advanceDays?.(reference, 31)
  expect(await endOfMonth(reference)).toBe('2027-02-28')
  await lifecycle.advanceDays?.(reference, 28)
  expect(await endOfMonth(reference)).toBe('2027-03-03')
})

it('an invoice is found by its reference, also after its plan has ended', async () => {
  const reference = await startPlan('2027-01-31')
  await lifecycle.setCancelling(reference, true)
  await lifecycle.advanceDays?.(reference, 31)
  const ended = await lifecycle.lookUp(reference)
  expect(ended).toMatchObject({ state: 'ended', invoices: [{ state: 'paid' }] })
  const [invoice] = ended?.invoices ?? []
  expect(await lifecycle.lookUpInvoice(invoice?.reference ?? '')).toEqual(invoice)
  expect(await lifecycle.lookUpInvoice('demo_in_none_1')).toBeNull()
})
