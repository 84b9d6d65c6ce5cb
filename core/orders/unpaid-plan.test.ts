import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import { changeAccount } from '#core/users/accounts.rows.ts'
import { actorOf, makeBackIssue } from '#tests/support/factories.ts'
import { issueForm, makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { placeBackIssueOrder } from './place-back-issue-order.ts'
import { placeOrder } from './place-order.ts'
import { takeStaffOrder } from './take-staff-order.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const dayMs = 86_400_000
type Shop = Awaited<ReturnType<typeof makeShop>>

/** Stores what the plan's provider last reported about a shop's publisher. */
async function setPlan(shop: Shop, state: 'past-due' | 'ended', days: number): Promise<void> {
  const since = new Date(services.clock.now.getTime() - days * dayMs)
  await changeAccount(services.as(visitor), shop.publisherId, {
    planState: state,
    planPeriodEndsAt: since,
    planUnpaidSince: state === 'past-due' ? since : null,
  })
}

const entryPoints = ['web', 'api'] as const
const ctxOf = (entryPoint: (typeof entryPoints)[number]): AppContext => contextFor(services, visitor, { entryPoint })
const staffOf = async ({ publisherId }: Shop) => services.as(await actorOf(services, 'publisher', publisherId))
const phoneForm = (shop: Shop, fields: object = {}) => ({
  publicationId: shop.id,
  plan: '1PN29.99',
  country: 'GB',
  idempotencyKey: randomUUID(),
  firstName: 'Ann',
  lastName: 'Lee',
  email: `ann-${randomUUID()}@example.test`,
  method: 'cash',
  billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
  ...fields,
})

const recipient = { firstName: 'Bea', lastName: 'Fox', addressOne: '9 Lane', city: 'Bath', postCode: 'BA1 1AA' }

describe.each([
  ['past-due', 14],
  ['ended', 0],
] as const)('a shop whose plan has been %s for %i days', (state, days) => {
  it.each(entryPoints)(
    'refuses a new subscription by %s: paid, free or renewing, by a stranger, as a gift, or alongside a running one',
    async (entryPoint) => {
      const shop = await makeShop(services, { bundleIsFree: true })
      const firstForm = orderForm(shop)
      await placeOrder(ctxOf(entryPoint), firstForm)
      await setPlan(shop, state, days)
      const refusal = {
        kind: 'conflict',
        message: expect.stringMatching(
          /is not taking new subscriptions at the moment\. If you are already a reader, log in/,
        ),
      }
      const email = String(firstForm.email)
      const forms: object[] = [
        orderForm(shop),
        orderForm(shop, { plan: 'FBN', payment: {} }),
        orderForm(shop, { plan: '1PR25.00' }),
        // In addition to a running subscription, or for another person.
        orderForm(shop, { email, plan: '2DN2.99' }),
        orderForm(shop, { email, isGift: true, isDeliveredToBilling: false, shipping: recipient }),
      ]
      for (const form of forms) await expect(placeOrder(ctxOf(entryPoint), form)).rejects.toMatchObject(refusal)
      expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
      expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
      // A form that was sent before returns the same order.
      expect(await placeOrder(ctxOf(entryPoint), firstForm)).toMatchObject({ state: 'paid' })
    },
  )

  it('refuses phone and postal orders', async () => {
    const shop = await makeShop(services)
    const staff = await staffOf(shop)
    await takeStaffOrder(staff, phoneForm(shop))
    await setPlan(shop, state, days)
    const [reader] = await rowsOf(services, 'readers', shop.id)
    const renewal = { readerId: Number(reader?.id), email: String(reader?.email) }
    const gift = { ...renewal, isGift: true, isDeliveredToBilling: false, shipping: recipient }
    const alongside = { ...renewal, plan: '2DN2.99' }
    for (const fields of [{}, { method: 'free', note: 'Contributor' }, { method: 'invoice' }, gift, alongside])
      await expect(takeStaffOrder(staff, phoneForm(shop, fields))).rejects.toMatchObject({
        kind: 'conflict',
        hint: 'Existing readers can be renewed: choose the reader.',
      })
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
    await takeStaffOrder(staff, phoneForm(shop, renewal))
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ id: reader?.id, sub_end_on: '2028-11-21' }])
  })

  it('renews its readers who log in, and sells back issues to anybody', async () => {
    const shop = await makeShop(services, { sellsBackIssues: true })
    const form = orderForm(shop)
    await placeOrder(ctxOf('web'), form)
    const issue = await makeBackIssue(services, shop.id)
    await setPlan(shop, state, days)
    // A page asks for the confirmation; a program sends it with the order.
    await expect(
      placeOrder(ctxOf('web'), orderForm(shop, { email: form.email, isSecondMeant: 'false' })),
    ).rejects.toMatchObject({ fields: { isSecondMeant: expect.stringMatching(/This order continues it/) } })
    for (const entryPoint of entryPoints)
      expect(await placeOrder(ctxOf(entryPoint), orderForm(shop, { email: form.email }))).toMatchObject({
        state: 'paid',
      })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2029-11-21' }])
    // A subscription that has ended starts again.
    await services.db.run(`UPDATE readers SET sub_end_on = '2026-11-20' WHERE publication_id = :id`, { id: shop.id })
    const restart = orderForm(shop, { email: form.email, isSecondMeant: 'false' })
    expect(await placeOrder(ctxOf('web'), restart)).toMatchObject({ state: 'paid' })
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
    expect(await placeBackIssueOrder(ctxOf('web'), issueForm(shop, [issue.id]))).toMatchObject({ state: 'paid' })
  })
})

it('a shop sells until the fourteenth day, and again at once when its plan is paid', async () => {
  const shop = await makeShop(services)
  const staff = await staffOf(shop)
  const tryToSell = async () => {
    const attempts = [
      ...entryPoints.map((entryPoint) => placeOrder(ctxOf(entryPoint), orderForm(shop))),
      takeStaffOrder(staff, phoneForm(shop)),
    ] as Promise<{ state: string }>[]
    return (await Promise.allSettled(attempts)).map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.state : 'refused',
    )
  }
  await setPlan(shop, 'past-due', 13)
  expect(await tryToSell()).toEqual(['paid', 'paid', 'paid'])
  await setPlan(shop, 'past-due', 14)
  expect(await tryToSell()).toEqual(['refused', 'refused', 'refused'])
  await changeAccount(services.as(visitor), shop.publisherId, { planState: 'active', planUnpaidSince: null })
  expect(await tryToSell()).toEqual(['paid', 'paid', 'paid'])
})
