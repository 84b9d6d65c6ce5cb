import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { handlePlanEvent } from '#core/plan-events/handle-plan-event.ts'
import { receivePlanEvent } from '#core/plan-events/receive-plan-event.ts'
import { getStorefront } from '#core/storefronts/get-storefront.query.ts'
import { actorOf, makePublication, makeUser, system } from '#tests/support/factories.ts'
import { mailSender, queuedMails } from '#tests/support/mails.ts'
import { openPlans, type Planner, type Plans } from '#tests/support/plans.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { createPublication } from '../publications/create-publication.ts'
import { restorePublication } from '../publications/restore-publication.ts'
import { setPlanCancelled } from './cancel-plan.ts'
import { changePlan, previewPlanChange } from './change-plan.ts'
import { finishPlanCard, payPlan } from './change-plan-card.ts'
import { chooseTitles } from './choose-titles.ts'
import { getPlan, getPlatformInvoice, planNotice } from './get-plan.query.ts'
import { refreshPlan } from './refresh-plan.ts'
import { couponToReturnWith, finishPlanStart, startPlan } from './start-plan.ts'

let plans: Plans
beforeAll(async () => {
  plans = await openPlans()
})

const noticesOf = async ({ id }: Planner) =>
  (await queuedMails(plans.services, 'plan-notice'))
    .filter(({ about }) => about.userId === id)
    .map(({ about }) => about.kind)
const subscription = ({ subscription: id }: Planner) => plans.stripe.objects.get(id) as Record<string, unknown>
const failMonth = async (planner: Planner) => {
  plans.stripe.giveCard(planner.subscription, stripeCards.declinedLater)
  plans.stripe.endMonth(planner.subscription)
  const open = [...plans.stripe.objects.values()].find(
    ({ status, object }) => object === 'invoice' && status === 'open',
  )
  if (open) open.created = Math.floor(plans.services.clock.now.getTime() / 1000)
  await refreshPlan(plans.services.as(system), { publisherId: planner.id })
}
const paysAgain = (planner: Planner) => {
  plans.stripe.giveCard(planner.subscription, stripeCards.paid)
  return payPlan(planner.ctx, {})
}

describe('after sign-up', () => {
  it('the account stores the provider’s state of its plan, and its first invoice has a number and VAT', async () => {
    const planner = await plans.publisher('standard-3', 0, { couponId: 'QUAY20' })
    expect(await plans.account(planner.id)).toMatchObject({
      planSubscriptionReference: expect.stringMatching(/^sub_/),
      planState: 'active',
      planPriceType: 'VAT',
      planCoupon: 'QUAY20',
      planNextAmount: 12_960,
      planCardLastFour: '4242',
    })
    const { invoices, billingStatus, plan, monthly } = await getPlan(planner.ctx, {})
    expect({ billingStatus, monthly, key: plan?.key }).toEqual({
      billingStatus: { kind: 'good' },
      monthly: 16_200,
      key: 'standard-3',
    })
    expect(invoices).toMatchObject([{ total: 12_960, state: 'paid', number: expect.stringMatching(/^PLAN-\d{6}$/) }])
    const invoice = await getPlatformInvoice(planner.ctx, { id: invoices[0]?.id })
    expect(invoice).toMatchObject({
      vatPercent: 20,
      vat: 2160,
      customer: { lines: expect.arrayContaining(['Quayside Press']) },
    })
    const other = await plans.publisher('standard-1', 0, { country: 'IE' })
    const theirs = (await getPlan(other.ctx, {})).invoices[0]
    expect(await getPlatformInvoice(other.ctx, { id: theirs?.id })).toMatchObject({
      vatPercent: null,
      vat: 0,
      total: 6500,
    })
    await expect(getPlatformInvoice(other.ctx, { id: invoices[0]?.id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('concurrent invoices are numbered without a gap, each once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => plans.publisher('standard-1')))
    const rows = await plans.services.db.query<{ number: number }>(
      `SELECT number FROM platform_invoices ORDER BY number`,
    )
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
  })
})

describe('a change of plan', () => {
  it('to a larger one costs the quoted price, adds titles at once and is invoiced', async () => {
    const planner = await plans.publisher('standard-1', 1)
    plans.days(10)
    const preview = await previewPlanChange(planner.ctx, { titles: 3, hasApp: 'on' })
    // 20 of 30 days of 3 times 168 instead of once 78.
    expect(preview).toMatchObject({ from: 'standard-1', amount: 28_400, nextAmount: 50_400, mustPause: 0 })
    await plans.changeTo(planner, 3, { hasApp: true })
    expect(await plans.account(planner.id)).toMatchObject({
      planKey: 'plus-3',
      numberOfPublications: 3,
      planNextAmount: 50_400,
    })
    expect((await getPlan(planner.ctx, {})).invoices[0]).toMatchObject({ total: 28_400, state: 'paid' })
  })

  it('to a smaller one asks which titles to pause; they are hidden from sale and come back with a larger plan', async () => {
    const planner = await plans.publisher('standard-3', 3)
    const [first = 0, second = 0, third = 0] = planner.titles
    const foreign = await makePublication(plans.services)
    const keyOf = async (id: number) =>
      (await plans.services.db.query<{ url_key: string }>(`SELECT url_key FROM publications WHERE id = :id`, { id }))[0]
        ?.url_key ?? ''
    expect(await previewPlanChange(planner.ctx, { titles: 1 })).toMatchObject({ mustPause: 2 })
    for (const paused of [[], [first], [first, foreign.id], 'x'])
      await expect(plans.changeTo(planner, 1, { paused })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await plans.account(planner.id)).toMatchObject({ planKey: 'standard-3' })
    await plans.changeTo(planner, 1, { paused: `${first},${third}` })
    expect(await plans.pausedTitlesOf(planner.id)).toEqual([first, third])
    const shop = await getStorefront(plans.services.as(visitor), { urlKey: await keyOf(first) })
    expect(shop).toMatchObject({ takesNewSubscriptions: false, sellsBackIssues: false, isClosed: false })
    expect(await getStorefront(plans.services.as(visitor), { urlKey: await keyOf(second) })).toMatchObject({
      takesNewSubscriptions: true,
    })
    await expect(createPublication(planner.ctx, { publicationName: 'More' })).rejects.toBeDefined()
    await expect(restorePublication(planner.ctx, { id: first })).resolves.toBeDefined()
    // No more on sale than the plan includes, whichever they are.
    await expect(chooseTitles(planner.ctx, { onSale: [first, second] })).rejects.toMatchObject({ kind: 'invalid' })
    await chooseTitles(planner.ctx, { onSale: [first, foreign.id] })
    expect(await plans.pausedTitlesOf(planner.id)).toEqual([second, third])
    await plans.changeTo(planner, 2)
    expect(await plans.pausedTitlesOf(planner.id)).toEqual([third])
    expect(await plans.pausedTitlesOf(foreign.publisherId)).toEqual([])
  })

  it('with a different, expired or outdated quote is refused', async () => {
    const planner = await plans.publisher('standard-2')
    const { from, at, amount } = await previewPlanChange(planner.ctx, { titles: 4 })
    const ask = (fields: object) =>
      changePlan(planner.ctx, { titles: 4, from, at, amount, key: randomUUID(), ...fields })
    await expect(ask({ amount: amount - 1 })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(ask({ from: 'standard-9' })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(ask({ at: new Date(at.getTime() - 31 * 60_000) })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(ask({ titles: 11 })).rejects.toMatchObject({ kind: 'invalid' })
    expect(subscription(planner)).toMatchObject({ items: { data: [{ quantity: 2 }] } })
  })

  it('in two tabs at once is made once; the same form again is the same change', async () => {
    const planner = await plans.publisher('standard-2')
    const shown = await Promise.all([3, 5].map((titles) => previewPlanChange(planner.ctx, { titles })))
    const forms = shown.map(({ from, at, amount, to }) => ({ from, at, amount, titles: to.titles, key: randomUUID() }))
    const done = await Promise.allSettled(forms.map((form) => changePlan(planner.ctx, form)))
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const won = forms[done.findIndex(({ status }) => status === 'fulfilled')]
    await changePlan(planner.ctx, won)
    expect(await plans.account(planner.id)).toMatchObject({ numberOfPublications: won?.titles })
    expect((await getPlan(planner.ctx, {})).invoices).toHaveLength(2)
    const thief = await plans.publisher('standard-2')
    await expect(changePlan(thief.ctx, won)).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('whose response is lost is looked up, and never made twice', async () => {
    const planner = await plans.publisher('standard-2')
    const { from, at, amount } = await previewPlanChange(planner.ctx, { titles: 4 })
    const form = { from, at, amount, titles: 4, key: randomUUID() }
    await expect(
      changePlan(
        withChange(planner, () => Promise.reject(new Error('gone'))),
        form,
      ),
    ).rejects.toMatchObject({
      kind: 'upstream',
    })
    expect((await getPlan(planner.ctx, {})).waiting).toEqual({ kind: 'change', to: 'Standard, 4 titles' })
    await expect(plans.changeTo(planner, 3)).rejects.toMatchObject({ kind: 'conflict' })
    await changePlan(planner.ctx, form)
    expect(await plans.account(planner.id)).toMatchObject({ planKey: 'standard-4' })
    // Made, and its answer lost permanently: the sweep finds it.
    const next = await previewPlanChange(planner.ctx, { titles: 6 })
    const dies = changePlan(withChange(planner, lostAfter(billing().life.change)), {
      ...{ from: next.from, at: next.at, amount: next.amount, titles: 6, key: randomUUID() },
    })
    await expect(dies).rejects.toMatchObject({ kind: 'upstream' })
    expect(await plans.account(planner.id)).toMatchObject({ planKey: 'standard-4' })
    plans.days(1 / 24)
    await plans.sweep()
    expect(await plans.account(planner.id)).toMatchObject({ planKey: 'standard-6' })
    expect((await getPlan(planner.ctx, {})).waiting).toBeNull()
  })

  it('that never reached the provider is given up', async () => {
    const planner = await plans.publisher('standard-2')
    const { from, at, amount } = await previewPlanChange(planner.ctx, { titles: 4 })
    const ctx = withChange(planner, () => Promise.reject(new Error('gone')))
    await expect(changePlan(ctx, { from, at, amount, titles: 4, key: randomUUID() })).rejects.toMatchObject({
      kind: 'upstream',
    })
    plans.days(1)
    await plans.sweep()
    expect(await getPlan(planner.ctx, {})).toMatchObject({ waiting: null, plan: { key: 'standard-2' } })
  })

  it('that the card declines changes nothing, and is the publisher’s alone to request', async () => {
    const planner = await plans.publisher('standard-2')
    plans.stripe.giveCard(planner.subscription, stripeCards.declinedLater)
    await expect(plans.changeTo(planner, 4)).rejects.toMatchObject({ kind: 'declined' })
    expect(await getPlan(planner.ctx, {})).toMatchObject({ waiting: null, plan: { key: 'standard-2' } })
    const pubadmin = plans.services.as(await actorOf(plans.services, 'pubadmin', planner.id))
    await expect(previewPlanChange(pubadmin, { titles: 3 })).rejects.toMatchObject({ kind: 'denied' })
    await expect(getPlan(pubadmin, {})).rejects.toMatchObject({ kind: 'denied' })
    await expect(setPlanCancelled(pubadmin, { isCancelled: true })).rejects.toMatchObject({ kind: 'denied' })
  })
})

describe('an unpaid plan', () => {
  it('is notified from the first day, stops new subscriptions after 14, and sells at once when it is paid', async () => {
    const planner = await plans.publisher('standard-1', 1)
    const urlKey = (
      await plans.services.db.query<{ url_key: string }>(`SELECT url_key FROM publications WHERE publisher_id = :id`, {
        id: planner.id,
      })
    )[0]?.url_key
    const takesNewSubscriptions = async () =>
      (await getStorefront(plans.services.as(visitor), { urlKey: urlKey ?? '' })).takesNewSubscriptions
    await failMonth(planner)
    const pubadmin = plans.services.as(await actorOf(plans.services, 'pubadmin', planner.id))
    expect(await planNotice(planner.ctx, {})).toMatchObject({
      billingStatus: { kind: 'unpaid', isStopped: false },
      mayPay: true,
    })
    expect(await planNotice(pubadmin, {})).toMatchObject({ mayPay: false })
    expect(await noticesOf(planner)).toEqual(['unpaid'])
    expect(await takesNewSubscriptions()).toBe(true)
    await expect(payPlan(planner.ctx, {})).rejects.toMatchObject({ kind: 'declined' })
    await expect(plans.changeTo(planner, 2)).rejects.toMatchObject({ kind: 'conflict' })
    plans.days(13)
    await plans.sweep()
    await plans.sweep()
    expect(await noticesOf(planner)).toEqual(['unpaid', 'reminder'])
    expect(await takesNewSubscriptions()).toBe(true)
    plans.days(1)
    expect(await takesNewSubscriptions()).toBe(false)
    await plans.sweep()
    expect(await noticesOf(planner)).toEqual(['unpaid', 'reminder', 'stopped'])
    expect(await planNotice(planner.ctx, {})).toMatchObject({ billingStatus: { isStopped: true } })
    await paysAgain(planner)
    expect(await takesNewSubscriptions()).toBe(true)
    expect(await planNotice(planner.ctx, {})).toBeNull()
    expect(await noticesOf(planner)).toEqual(['unpaid', 'reminder', 'stopped', 'paid'])
    // A mail that is written late does not repeat what earlier ones said.
    const about = (await queuedMails(plans.services, 'plan-notice')).find(
      ({ about: of }) => of.userId === planner.id,
    )?.about
    expect(await mailSender('plan-notice')(plans.services.as(system), about)).toBe(false)
  })

  it('is not changed by duplicate, late, reordered or foreign webhooks', async () => {
    const planner = await plans.publisher('standard-1')
    const bystander = await plans.publisher('standard-1')
    const other = await plans.account(bystander.id)
    plans.days(30)
    plans.stripe.giveCard(planner.subscription, stripeCards.declinedLater)
    plans.stripe.endMonth(planner.subscription)
    const bills = () =>
      [...plans.stripe.objects.values()].filter(
        ({ object, customer }) => object === 'invoice' && customer === subscription(planner).customer,
      )
    const bill = String(bills().at(-1)?.id)
    await hears('invoice.payment_failed', bill, 'evt_failed')
    await hears('invoice.payment_failed', bill, 'evt_failed')
    expect(await plans.account(planner.id)).toMatchObject({ planState: 'past-due' })
    expect(await noticesOf(planner)).toEqual(['unpaid'])
    plans.stripe.giveCard(planner.subscription, stripeCards.paid)
    await billing().life.payOpenInvoice(planner.subscription)
    // It says failed, and arrives after the payment: the provider is queried.
    await hears('invoice.payment_failed', bill, 'evt_late')
    expect(await plans.account(planner.id)).toMatchObject({ planState: 'active', planUnpaidSince: null })
    await hears('invoice.paid', bill, 'evt_paid')
    expect(await noticesOf(planner)).toEqual(['unpaid', 'paid'])
    expect((await getPlan(planner.ctx, {})).invoices).toHaveLength(2)
    plans.stripe.endPlan(planner.subscription)
    await hears('customer.subscription.deleted', planner.subscription, 'evt_gone')
    await hears('customer.subscription.updated', planner.subscription, 'evt_before')
    expect(await plans.account(planner.id)).toMatchObject({ planState: 'ended' })
    expect(await plans.account(bystander.id)).toEqual(other)
  })

  it('with two concurrent responses keeps the one requested last', async () => {
    const planner = await plans.publisher('standard-1')
    const ctx = plans.services.as(system)
    const old = await billing().life.lookUp(planner.subscription)
    plans.days(1)
    await plans.changeTo(planner, 5)
    const late = { ...billing(), life: { ...billing().life, lookUp: async () => old } }
    const before = { ...ctx, planBilling: late, now: () => new Date(plans.services.clock.now.getTime() - 60_000) }
    await refreshPlan(before, { publisherId: planner.id })
    expect(await plans.account(planner.id)).toMatchObject({ planKey: 'standard-5' })
  })
})

describe('the end of a plan', () => {
  it('comes at the end of the month, can be undone until then, and after it the publisher comes back and pays', async () => {
    const planner = await plans.publisher('standard-3', 3)
    await setPlanCancelled(planner.ctx, { isCancelled: true })
    await setPlanCancelled(planner.ctx, { isCancelled: 'true' })
    expect(await getPlan(planner.ctx, {})).toMatchObject({ cancelsAtEnd: true, nextAmount: null })
    expect(await planNotice(planner.ctx, {})).toMatchObject({ cancelsOn: expect.any(String) })
    await expect(plans.changeTo(planner, 2)).rejects.toMatchObject({ kind: 'conflict' })
    await setPlanCancelled(planner.ctx, { isCancelled: false })
    expect(await getPlan(planner.ctx, {})).toMatchObject({ cancelsAtEnd: false, nextAmount: 16_200 })
    await setPlanCancelled(planner.ctx, { isCancelled: true })
    plans.stripe.endMonth(planner.subscription)
    plans.days(31)
    await expect(setPlanCancelled(planner.ctx, { isCancelled: false })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await getPlan(planner.ctx, {})).toMatchObject({ billingStatus: { kind: 'ended' } })
    expect((await noticesOf(planner)).filter((kind) => kind !== 'cancelled')).toEqual(['resumed', 'ended'])
    // Back with a smaller plan: two are paused. The page is the same for the same choice, closed for another.
    const paused = planner.titles.slice(1).join(',')
    await expect(startPlan(planner.ctx, { titles: 1, key: randomUUID() })).rejects.toMatchObject({ kind: 'invalid' })
    const one = await startPlan(planner.ctx, { titles: 1, key: randomUUID(), paused })
    expect(await startPlan(planner.ctx, { titles: 1, key: randomUUID(), paused })).toEqual(one)
    const two = await startPlan(planner.ctx, { titles: 2, key: randomUUID(), paused: planner.titles.slice(2) })
    const idOf = (started: typeof one) => ('url' in started ? (started.url.split('/').at(-1) ?? '') : '')
    expect(plans.stripe.objects.get(idOf(one))).toMatchObject({ status: 'expired' })
    expect(await finishPlanStart(planner.ctx, {})).toEqual({ state: 'open' })
    expect(await getPlan(planner.ctx, {})).toMatchObject({
      billingStatus: { kind: 'ended' },
      waiting: { kind: 'start' },
    })
    plans.stripe.finishSession(idOf(two), stripeCards.paid)
    await Promise.all([finishPlanStart(planner.ctx, {}), plans.sweep(), finishPlanStart(planner.ctx, {})])
    expect(await getPlan(planner.ctx, {})).toMatchObject({
      ...{
        billingStatus: { kind: 'good' },
        plan: { key: 'standard-2' },
        allowed: 2,
        waiting: null,
        cancelsAtEnd: false,
      },
    })
    expect(await plans.pausedTitlesOf(planner.id)).toEqual(planner.titles.slice(2))
    expect(await finishPlanStart(planner.ctx, {})).toEqual({ state: 'none' })
    await expect(startPlan(planner.ctx, { titles: 1, key: randomUUID() })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('keeps the recurring promo code, which is offered on coming back, with a page of its own', async () => {
    const planner = await plans.publisher('standard-3', 0, { couponId: 'QUAY20' })
    const brief = await plans.publisher('standard-3', 0, { couponId: 'BRIEF' })
    for (const { subscription: id } of [planner, brief]) plans.stripe.endPlan(id)
    plans.days(2)
    await plans.sweep()
    expect(await couponToReturnWith(planner.ctx, {})).toMatchObject({ id: 'QUAY20', percentOff: 20 })
    // A coupon for the first month only applied to that month.
    expect(await couponToReturnWith(brief.ctx, {})).toBeNull()
    plans.stripe.failNext('/v1/coupons/QUAY20', 500, 3)
    expect(await couponToReturnWith(planner.ctx, {})).toBeNull()
    await expect(startPlan(planner.ctx, { titles: 3, key: randomUUID(), code: 'NONE' })).rejects.toMatchObject({
      fields: { code: 'Promo code invalid or expired' },
    })
    const pages: string[] = []
    for (const code of ['', 'QUAY20', 'OTHER20', '']) {
      const form = { titles: 3, key: randomUUID(), code }
      const page = await startPlan(planner.ctx, form)
      expect(await startPlan(planner.ctx, form)).toEqual(page)
      if (page.state === 'go') pages.push(page.url.split('/').at(-1) ?? '')
    }
    expect(pages.map((id) => plans.stripe.objects.get(id)?.status)).toEqual(['expired', 'expired', 'expired', 'open'])
    const form = { titles: 3, key: randomUUID(), code: 'QUAY20' }
    const page = await startPlan(planner.ctx, form)
    if (page.state !== 'go') throw new Error('It is paid on a page')
    plans.stripe.finishSession(page.url.split('/').at(-1) ?? '', stripeCards.paid)
    expect(await finishPlanStart(planner.ctx, {})).toEqual({ state: 'done' })
    expect(await getPlan(planner.ctx, {})).toMatchObject({ coupon: 'QUAY20', nextAmount: 12_960, waiting: null })
  })

  it('is followed by a payment page whose payment the sweep finds when nobody came back', async () => {
    const { id } = await makeUser(plans.services)
    const ctx = plans.services.as(await actorOf(plans.services, 'publisher', id))
    const started = await startPlan(ctx, { titles: 2, key: randomUUID() })
    if (started.state !== 'go') throw new Error('It is paid on a page')
    plans.stripe.finishSession(started.url.split('/').at(-1) ?? '', stripeCards.paid)
    plans.days(1)
    await plans.sweep()
    expect(await getPlan(ctx, {})).toMatchObject({ billingStatus: { kind: 'good' }, plan: { key: 'standard-2' } })
  })
})

it('another card is accepted from its own page alone, and pays what is open', async () => {
  const planner = await plans.publisher('standard-1')
  await failMonth(planner)
  await expect(finishPlanCard(planner.ctx, { session: 'cs_nobody' })).rejects.toMatchObject({ kind: 'invalid' })
  const session = await billing().life.beginCard({
    ...{ subscriptionReference: planner.subscription, customerReference: String(subscription(planner).customer) },
    ...{ returnUrl: 'https://x.test/{session}', cancelUrl: 'https://x.test/', idempotencyKey: randomUUID() },
  })
  const id = session?.url.split('/').at(-1) ?? ''
  plans.stripe.finishSession(id, '5555555555554444')
  expect(await finishPlanCard(planner.ctx, { session: id })).toEqual({ isPaid: true })
  expect(await getPlan(planner.ctx, {})).toMatchObject({ billingStatus: { kind: 'good' }, cardLastFour: '4444' })
})

function billing() {
  const { planBilling } = plans.services
  if (!planBilling) throw new Error('The test runs with Stripe')
  return planBilling
}

/** The publisher, on a day when the provider answers changes this way. */
function withChange({ ctx }: Planner, change: ReturnType<typeof billing>['life']['change']) {
  return { ...ctx, planBilling: { ...billing(), life: { ...billing().life, change } } }
}

/** Makes the change, and loses the answer. */
function lostAfter<Given, Answer>(work: (given: Given) => Promise<Answer>): (given: Given) => Promise<Answer> {
  return async (given) => {
    await work(given)
    throw new Error('The answer was lost')
  }
}

/** A signed message arrives, and its job runs. */
async function hears(type: string, about: string, id: string): Promise<void> {
  const message = plans.stripe.message({ type, about, id, at: plans.services.clock.now })
  await receivePlanEvent(plans.services.as(visitor), message)
  const [event] = await plans.services.db.query<{ id: number }>(`SELECT id FROM plan_events WHERE event_id = :id`, {
    id,
  })
  await handlePlanEvent(plans.services.as(system), { eventId: event?.id })
}
