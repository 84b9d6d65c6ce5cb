import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { advancePlanClock } from '#core/plans/advance-plan-clock.ts'
import { setPlanCancelled } from '#core/plans/cancel-plan.ts'
import { changePlan, previewPlanChange } from '#core/plans/change-plan.ts'
import { finishPlanCard } from '#core/plans/change-plan-card.ts'
import { getPlan } from '#core/plans/get-plan.query.ts'
import { startPlan } from '#core/plans/start-plan.ts'
import { Users } from '#core/users/users.rows.ts'
import { actorOf, makeUser } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

let server: TestServer
let shop: Awaited<ReturnType<typeof makeShop>>
beforeAll(async () => {
  server = await startTestServer({ seed: false })
  shop = await makeShop(server.services)
})
afterAll(() => server.stop())

/** Returns a function that requests pages as a user. */
async function requestsAs(email: string) {
  const headers = { cookie: await staffCookie(server.services, email) }
  return async (path: string) => {
    const response = await fetch(server.url + path, { headers, redirect: 'manual' })
    return { status: response.status, to: response.headers.get('location'), text: await response.text() }
  }
}

it('the pages of a plan show each of its states to its publisher, and the storefront follows them', async () => {
  const { publisherId, urlKey } = shop
  const publisher = await Users.find(server.services, { id: publisherId })
  const read = await requestsAs(publisher?.email ?? '')
  const ctx = server.as(await actorOf(server.services, 'publisher', publisherId))
  expect((await read('/account')).text).toContain('href="/account/plan"')
  expect((await read('/account/plan')).text).toContain('Arranged with us directly')
  expect((await read('/account/plan/change')).to).toBe('/account/plan')
  expect((await read('/account/plan/start')).text).toContain('Card number')
  expect((await read('/account/plan/start')).text).not.toContain('as you left them')
  await startPlan(ctx, { titles: 2, key: randomUUID(), cardNumber: demoCards.declinedLater, code: 'FREE20' })
  const plan = await read('/account/plan')
  for (const words of [
    'Standard, 2 titles',
    '1 of 2',
    '£108.00 a month, including 20% VAT; code FREE20 applied',
    'Ending in 0341',
    'Cancel the plan',
  ])
    expect(plan.text).toContain(words)
  expect((await read('/account/plan/start')).to).toBe('/account/plan')
  const preview = await read('/account/plan/change?titles=1&app=false')
  expect(preview.text).toContain('Credited today')
  const [invoice] = (await getPlan(ctx, {})).invoices
  const invoicePage = await read(`/account/plan/invoices/${invoice?.id}`)
  for (const words of ['VAT at 20%', '£14.40', '£72.00', 'Paid on']) expect(invoicePage.text).toContain(words)
  expect((await read('/account/plan/invoices/999999')).status).toBe(404)

  await advancePlanClock(ctx, { days: 31 })
  expect((await read('/dashboard')).text).toContain('Your plan could not be charged')
  const openShop = await fetch(`${server.url}/${urlKey}`)
  expect(await openShop.text()).not.toContain('not taking new subscriptions')
  await advancePlanClock(ctx, { days: 14 })
  expect((await read('/dashboard')).text).toContain('take no new subscriptions')
  // Nothing says that the plan is paid, or works until its end.
  const unpaid = (await read('/account/plan')).text
  expect(unpaid).toContain('The amount due is still to be paid')
  expect(unpaid).not.toMatch(/Everything works until|you have paid until/)
  const closedShop = await (await fetch(`${server.url}/${urlKey}`)).text()
  expect(closedShop).toContain('is not taking new subscriptions at the moment')
  expect(closedShop).toContain(`href="/${urlKey}/login"`)

  const pubadmin = await makeUser(server.services, { userType: 'pubadmin', parentPublisherId: publisherId })
  const asAdmin = await requestsAs(pubadmin.email)
  expect((await asAdmin('/dashboard')).text).toContain('Please inform your publisher.')
  expect((await asAdmin('/account/plan')).to).toBe('/dashboard')
  expect((await asAdmin(`/account/plan/invoices/${invoice?.id}`)).to).toBe('/dashboard')

  await finishPlanCard(ctx, { session: demoCards.paid })
  expect((await read('/dashboard')).text).not.toContain('new subscriptions.')
  expect(await (await fetch(`${server.url}/${urlKey}`)).text()).not.toContain('not taking new subscriptions')

  await setPlanCancelled(ctx, { isCancelled: true })
  await advancePlanClock(ctx, { days: 31 })
  const startPage = await read('/account/plan/start')
  for (const words of [
    'as you left them',
    'value="FREE20"',
    'The promo code of your last plan is still valid: 20% off every month.',
  ])
    expect(startPage.text).toContain(words)
})

it('a change of plan that another window has made meanwhile is refused with its reason', async () => {
  const { publisherId } = await makeShop(server.services)
  const publisher = await Users.find(server.services, { id: publisherId })
  const headers = { cookie: await staffCookie(server.services, publisher?.email ?? ''), Origin: server.url }
  const ctx = server.as(await actorOf(server.services, 'publisher', publisherId))
  await startPlan(ctx, { titles: 2, key: randomUUID(), cardNumber: demoCards.paid })
  const preview = await previewPlanChange(ctx, { titles: 4, hasApp: false })
  const change = {
    titles: '4',
    hasApp: 'false',
    from: preview.from,
    amount: String(preview.amount),
    at: preview.at.toISOString(),
  }
  await changePlan(ctx, { ...change, key: randomUUID(), paused: [] })
  const response = await fetch(`${server.url}/account/plan/change?titles=4&app=false`, {
    method: 'POST',
    headers,
    redirect: 'manual',
    body: new URLSearchParams({ ...change, intent: 'change', key: randomUUID() }),
  })
  expect(response.status).toBe(409)
  expect(await response.text()).toMatch(/Plan not changed[\s\S]*The plan was changed in another window/)
})
