import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { handlePlanEvent } from '#core/plan-events/handle-plan-event.ts'
import { receivePlanEvent } from '#core/plan-events/receive-plan-event.ts'
import { getStorefront } from '#core/storefronts/get-storefront.query.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makePublication, makeUser, system } from '#tests/support/factories.ts'
import { openPlans, type PlanPublisher, type Plans } from '#tests/support/plans.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { createPublication } from '../publications/create-publication.ts'
import { removePublication } from '../publications/remove-publication.ts'
import { restorePublication } from '../publications/restore-publication.ts'
import { setPlanCancelled } from './cancel-plan.ts'
import { changePlan, previewPlanChange } from './change-plan.ts'
import { finishPlanCard, payPlan } from './change-plan-card.ts'
import { chooseTitles } from './choose-titles.ts'
import { getPlan, getPlatformInvoice, planNotice } from './get-plan.query.ts'
import { refreshPlan } from './refresh-plan.ts'
import { couponForRestart, finishPlanStart, startPlan } from './start-plan.ts'

let plans: Plans
beforeAll(async () => {
  plans = await openPlans()
})

const noticesOf = async ({ id }: PlanPublisher) =>
  (await queuedEmails(plans.services, 'plan-notice'))
    .filter(({ about }) => about.userId === id)
    .map(({ about }) => about.kind)
const subscription = ({ subscription: id }: PlanPublisher) => plans.stripe.objects.get(id) as Record<string, unknown>
/** The unpaid invoices of a publisher's plan at the provider, the oldest first. */
const openInvoices = (publisher: PlanPublisher) =>
  [...plans.stripe.objects.values()].filter(
    ({ object, status, customer }) =>
      object === 'invoice' && status === 'open' && customer === subscription(publisher).customer,
  )
const failMonthlyPayment = async (publisher: PlanPublisher) => {
  plans.stripe.giveCard(publisher.subscription, stripeCards.declinedLater)
  plans.stripe.endMonth(publisher.subscription)
  const [openInvoice] = openInvoices(publisher)
  if (openInvoice) openInvoice.created = Math.floor(plans.services.clock.now.getTime() / 1000)
  await refreshPlan(plans.services.as(system), { publisherId: publisher.id })
}
/** Settles the oldest unpaid invoice at the provider, and returns its id. */
const settleOldest = (publisher: PlanPublisher): string => {
  const [oldest] = openInvoices(publisher)
  const paidAt = Math.floor(plans.services.clock.now.getTime() / 1000)
  Object.assign(oldest ?? {}, { status: 'paid', status_transitions: { paid_at: paidAt } })
  return String(oldest?.id)
}
/** Sends the queued email of a kind; false if it is no longer true. */
const sendNotice = async ({ id }: PlanPublisher, kind: string) => {
  const queued = await queuedEmails(plans.services, 'plan-notice')
  const email = queued.find(({ about }) => about.userId === id && about.kind === kind)
  return mailSender('plan-notice')(plans.services.as(system), email?.about)
}
const payWithValidCard = (publisher: PlanPublisher) => {
  plans.stripe.giveCard(publisher.subscription, stripeCards.paid)
  return payPlan(publisher.ctx, {})
}

describe('after sign-up', () => {
  it('the account stores the provider’s state of its plan, and its first invoice has a number and VAT', async () => {
    const publisher = await plans.publisher('standard-3', 0, { couponId: 'QUAY20' })
    expect(await plans.account(publisher.id)).toMatchObject({
      planSubscriptionReference: expect.stringMatching(/^sub_/),
      planState: 'active',
      planPriceType: 'VAT',
      planCoupon: 'QUAY20',
      planNextAmount: 12_960,
      planCardLastFour: '4242',
    })
    const { invoices, billingStatus, plan, monthly } = await getPlan(publisher.ctx, {})
    expect({ billingStatus, monthly, key: plan?.key }).toEqual({
      billingStatus: { kind: 'active' },
      monthly: 16_200,
      key: 'standard-3',
    })
    expect(invoices).toMatchObject([{ total: 12_960, state: 'paid', number: expect.stringMatching(/^PLAN-\d{6}$/) }])
    const invoice = await getPlatformInvoice(publisher.ctx, { id: invoices[0]?.id })
    expect(invoice).toMatchObject({
      vatPercent: 20,
      vat: 2160,
      customer: { lines: expect.arrayContaining(['Quayside Press']) },
    })
    const other = await plans.publisher('standard-1', 0, { country: 'IE' })
    const vatFree = (await getPlan(other.ctx, {})).invoices[0]
    expect(await getPlatformInvoice(other.ctx, { id: vatFree?.id })).toMatchObject({
      vatPercent: null,
      vat: 0,
      total: 6500,
    })
    await expect(getPlatformInvoice(other.ctx, { id: invoices[0]?.id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('concurrent invoices are numbered without gaps or repeats', async () => {
    await Promise.all(Array.from({ length: 5 }, () => plans.publisher('standard-1')))
    const rows = await plans.services.db.query<{ number: number }>(
      `SELECT number FROM platform_invoices ORDER BY number`,
    )
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
  })
})

describe('a change of plan', () => {
  it('to a larger one costs the quoted price, adds titles at once and is invoiced', async () => {
    const publisher = await plans.publisher('standard-1', 1)
    plans.services.clock.advance({ days: 10 })
    const preview = await previewPlanChange(publisher.ctx, { titles: 3, hasApp: 'on' })
    // For 20 of 30 days, 3 times £168 instead of once £78.
    expect(preview).toMatchObject({ from: 'standard-1', amount: 28_400, nextAmount: 50_400, pauseCount: 0 })
    await plans.changeTo(publisher, 3, { hasApp: true })
    expect(await plans.account(publisher.id)).toMatchObject({
      planKey: 'plus-3',
      numberOfPublications: 3,
      planNextAmount: 50_400,
    })
    expect((await getPlan(publisher.ctx, {})).invoices[0]).toMatchObject({ total: 28_400, state: 'paid' })
  })

  it('to a smaller one asks which titles to pause; they are hidden from sale and come back with a larger plan', async () => {
    const publisher = await plans.publisher('standard-3', 3)
    const [first = 0, second = 0, third = 0] = publisher.titles
    const foreign = await makePublication(plans.services)
    const keyOf = async (id: number) =>
      (await plans.services.db.query<{ url_key: string }>(`SELECT url_key FROM publications WHERE id = :id`, { id }))[0]
        ?.url_key ?? ''
    expect(await previewPlanChange(publisher.ctx, { titles: 1 })).toMatchObject({ pauseCount: 2 })
    for (const paused of [[], [first], [first, foreign.id], 'x'])
      await expect(plans.changeTo(publisher, 1, { paused })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await plans.account(publisher.id)).toMatchObject({ planKey: 'standard-3' })
    await plans.changeTo(publisher, 1, { paused: `${first},${third}` })
    expect(await plans.pausedTitlesOf(publisher.id)).toEqual([first, third])
    const shop = await getStorefront(plans.services.as(visitor), { urlKey: await keyOf(first) })
    expect(shop).toMatchObject({ takesNewSubscriptions: false, sellsBackIssues: false, isClosed: false })
    expect(await getStorefront(plans.services.as(visitor), { urlKey: await keyOf(second) })).toMatchObject({
      takesNewSubscriptions: true,
    })
    const emails = { emailAddress: 'hello@more.example', orderEmailAddress: 'orders@more.example' }
    const newTitle = { publicationName: 'More', issuesPerYear: '10', urlKey: 'one-title-more', ...emails }
    await expect(createPublication(publisher.ctx, newTitle)).rejects.toMatchObject({ message: 'Publication Quota Met' })
    // A paused title that is removed and restored is paused, and needs no quota.
    await removePublication(publisher.ctx, { id: first })
    await restorePublication(publisher.ctx, { id: first })
    expect(await plans.pausedTitlesOf(publisher.id)).toEqual([first, third])
    // No more titles can be on sale than the plan includes.
    await expect(chooseTitles(publisher.ctx, { onSale: [first, second] })).rejects.toMatchObject({ kind: 'invalid' })
    await chooseTitles(publisher.ctx, { onSale: [first, foreign.id] })
    expect(await plans.pausedTitlesOf(publisher.id)).toEqual([second, third])
    await plans.changeTo(publisher, 2)
    expect(await plans.pausedTitlesOf(publisher.id)).toEqual([third])
    expect(await plans.pausedTitlesOf(foreign.publisherId)).toEqual([])
  })

  it('up again after a change down uses up the credit of that, also in the amount of the next charge', async () => {
    const publisher = await plans.publisher('standard-3')
    plans.services.clock.advance({ days: 10 })
    await plans.changeTo(publisher, 1)
    for (const titles of [2, 3]) {
      const { nextAmount } = await previewPlanChange(publisher.ctx, { titles })
      await plans.changeTo(publisher, titles)
      expect(await plans.account(publisher.id)).toMatchObject({ planNextAmount: nextAmount })
    }
  })

  it('with a different, expired or outdated quote is refused', async () => {
    const publisher = await plans.publisher('standard-2')
    const { from, at, amount } = await previewPlanChange(publisher.ctx, { titles: 4 })
    const attempt = (fields: object) =>
      changePlan(publisher.ctx, { titles: 4, from, at, amount, key: randomUUID(), ...fields })
    await expect(attempt({ amount: amount - 1 })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(attempt({ from: 'standard-9' })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(attempt({ at: new Date(at.getTime() - 31 * 60_000) })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(attempt({ titles: 11 })).rejects.toMatchObject({ kind: 'invalid' })
    expect(subscription(publisher)).toMatchObject({ items: { data: [{ quantity: 2 }] } })
  })

  it('submitted in two tabs at once is made once; the same form sent again changes nothing more', async () => {
    const publisher = await plans.publisher('standard-2')
    const previews = await Promise.all([3, 5].map((titles) => previewPlanChange(publisher.ctx, { titles })))
    const forms = previews.map(({ from, at, amount, to }) => ({
      from,
      at,
      amount,
      titles: to.titles,
      key: randomUUID(),
    }))
    const outcomes = await Promise.allSettled(forms.map((form) => changePlan(publisher.ctx, form)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const accepted = forms[outcomes.findIndex(({ status }) => status === 'fulfilled')]
    await changePlan(publisher.ctx, accepted)
    expect(await plans.account(publisher.id)).toMatchObject({ numberOfPublications: accepted?.titles })
    expect((await getPlan(publisher.ctx, {})).invoices).toHaveLength(2)
    const otherPublisher = await plans.publisher('standard-2')
    await expect(changePlan(otherPublisher.ctx, accepted)).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('whose response is lost is looked up, and never made twice', async () => {
    const publisher = await plans.publisher('standard-2')
    const { from, at, amount } = await previewPlanChange(publisher.ctx, { titles: 4 })
    const form = { from, at, amount, titles: 4, key: randomUUID() }
    await expect(
      changePlan(
        withChange(publisher, () => Promise.reject(new Error('gone'))),
        form,
      ),
    ).rejects.toMatchObject({
      kind: 'upstream',
    })
    expect((await getPlan(publisher.ctx, {})).waiting).toEqual({ kind: 'change', to: 'Standard, 4 titles' })
    await expect(plans.changeTo(publisher, 3)).rejects.toMatchObject({ kind: 'conflict' })
    await changePlan(publisher.ctx, form)
    expect(await plans.account(publisher.id)).toMatchObject({ planKey: 'standard-4' })
    // Made, but its response is never received: the sweep finds it.
    const next = await previewPlanChange(publisher.ctx, { titles: 6 })
    const unanswered = changePlan(withChange(publisher, lostAfter(billing().lifecycle.change)), {
      from: next.from,
      at: next.at,
      amount: next.amount,
      titles: 6,
      key: randomUUID(),
    })
    await expect(unanswered).rejects.toMatchObject({ kind: 'upstream' })
    expect(await plans.account(publisher.id)).toMatchObject({ planKey: 'standard-4' })
    plans.services.clock.advance({ hours: 1 })
    await plans.sweep()
    expect(await plans.account(publisher.id)).toMatchObject({ planKey: 'standard-6' })
    expect((await getPlan(publisher.ctx, {})).waiting).toBeNull()
  })

  it('that never reached the provider is abandoned', async () => {
    const publisher = await plans.publisher('standard-2')
    const { from, at, amount } = await previewPlanChange(publisher.ctx, { titles: 4 })
    const ctx = withChange(publisher, () => Promise.reject(new Error('gone')))
    await expect(changePlan(ctx, { from, at, amount, titles: 4, key: randomUUID() })).rejects.toMatchObject({
      kind: 'upstream',
    })
    plans.services.clock.advance({ days: 1 })
    await plans.sweep()
    expect(await getPlan(publisher.ctx, {})).toMatchObject({ waiting: null, plan: { key: 'standard-2' } })
  })

  it('that the card declines changes nothing, and only the publisher may request one', async () => {
    const publisher = await plans.publisher('standard-2')
    plans.stripe.giveCard(publisher.subscription, stripeCards.declinedLater)
    await expect(plans.changeTo(publisher, 4)).rejects.toMatchObject({ kind: 'declined' })
    expect(await getPlan(publisher.ctx, {})).toMatchObject({ waiting: null, plan: { key: 'standard-2' } })
    const pubadmin = plans.services.as(await actorOf(plans.services, 'pubadmin', publisher.id))
    await expect(previewPlanChange(pubadmin, { titles: 3 })).rejects.toMatchObject({ kind: 'denied' })
    await expect(getPlan(pubadmin, {})).rejects.toMatchObject({ kind: 'denied' })
    await expect(setPlanCancelled(pubadmin, { isCancelled: true })).rejects.toMatchObject({ kind: 'denied' })
  })
})

describe('an unpaid plan', () => {
  it('sends a notice on the first day, stops new subscriptions after 14 days, and allows them again as soon as it is paid', async () => {
    const publisher = await plans.publisher('standard-1', 1)
    const urlKey = (
      await plans.services.db.query<{ url_key: string }>(`SELECT url_key FROM publications WHERE publisher_id = :id`, {
        id: publisher.id,
      })
    )[0]?.url_key
    const takesNewSubscriptions = async () =>
      (await getStorefront(plans.services.as(visitor), { urlKey: urlKey ?? '' })).takesNewSubscriptions
    await failMonthlyPayment(publisher)
    const pubadmin = plans.services.as(await actorOf(plans.services, 'pubadmin', publisher.id))
    expect(await planNotice(publisher.ctx, {})).toMatchObject({
      billingStatus: { kind: 'unpaid', isStopped: false },
      mayPay: true,
    })
    expect(await planNotice(pubadmin, {})).toMatchObject({ mayPay: false })
    expect(await noticesOf(publisher)).toEqual(['unpaid'])
    expect(await takesNewSubscriptions()).toBe(true)
    await expect(payPlan(publisher.ctx, {})).rejects.toMatchObject({ kind: 'declined' })
    await expect(plans.changeTo(publisher, 2)).rejects.toMatchObject({ kind: 'conflict' })
    plans.services.clock.advance({ days: 13 })
    await plans.sweep()
    await plans.sweep()
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'reminder'])
    expect(await takesNewSubscriptions()).toBe(true)
    plans.services.clock.advance({ days: 1 })
    expect(await takesNewSubscriptions()).toBe(false)
    await plans.sweep()
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'reminder', 'stopped'])
    expect(await planNotice(publisher.ctx, {})).toMatchObject({ billingStatus: { isStopped: true } })
    await payWithValidCard(publisher)
    expect(await takesNewSubscriptions()).toBe(true)
    expect(await planNotice(publisher.ctx, {})).toBeNull()
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'reminder', 'stopped', 'paid'])
    // An email that is sent late does not repeat an outdated notice.
    const about = (await queuedEmails(plans.services, 'plan-notice')).find(
      ({ about: payload }) => payload.userId === publisher.id,
    )?.about
    expect(await mailSender('plan-notice')(plans.services.as(system), about)).toBe(false)
  })

  it('that is cancelled says that the amount is still due, and not that it is paid', async () => {
    const publisher = await plans.publisher('standard-1')
    await failMonthlyPayment(publisher)
    await setPlanCancelled(publisher.ctx, { isCancelled: true })
    const queued = await queuedEmails(plans.services, 'plan-notice')
    const cancelled = queued.find(({ about }) => about.userId === publisher.id && about.kind === 'cancelled')
    await mailSender('plan-notice')(plans.services.as(system), cancelled?.about)
    const [email] = (await plans.services.mail.devMailbox?.list(10)) ?? []
    expect(email?.subject).toBe('Your plan is cancelled')
    expect(email?.text).toContain('The amount due is still to be paid.')
    expect(email?.text).not.toContain('Everything works until')
  })

  it('whose cancellation is withdrawn says that it continues, and that the amount is still due', async () => {
    const publisher = await plans.publisher('standard-1')
    await failMonthlyPayment(publisher)
    await setPlanCancelled(publisher.ctx, { isCancelled: true })
    await setPlanCancelled(publisher.ctx, { isCancelled: false })
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'cancelled', 'resumed'])
    expect(await sendNotice(publisher, 'resumed')).toBe(true)
    const [email] = (await plans.services.mail.devMailbox?.list(10)) ?? []
    expect(email?.subject).toBe('Your plan continues')
    expect(email?.text).toContain('The amount due is still to be paid.')
    // The email about the cancellation, which was not sent in time, would be wrong.
    expect(await sendNotice(publisher, 'cancelled')).toBe(false)
    await setPlanCancelled(publisher.ctx, { isCancelled: true })
    expect(await sendNotice(publisher, 'resumed')).toBe(false)
  })

  it('sends each notice once for each unpaid invoice, also when an older invoice is settled', async () => {
    const publisher = await plans.publisher('standard-1')
    plans.stripe.giveCard(publisher.subscription, stripeCards.declinedLater)
    const refresh = () => refreshPlan(plans.services.as(system), { publisherId: publisher.id })
    const pass = async (days: number) => {
      plans.services.clock.advance({ days })
      await refresh()
    }
    const endMonth = async () => {
      plans.stripe.endMonth(publisher.subscription)
      await refresh()
    }
    plans.services.clock.advance({ days: 30 })
    await endMonth()
    await pass(14)
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'stopped'])
    await pass(16)
    await endMonth()
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'stopped'])
    // The older invoice is settled when the newer one is a week old: its first notice is out of date.
    await pass(7)
    settleOldest(publisher)
    await refresh()
    await refresh()
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'stopped', 'reminder'])
    // The provider calls the plan active for a while, and the same invoice is unpaid again.
    subscription(publisher).status = 'active'
    await refresh()
    subscription(publisher).status = 'past_due'
    await refresh()
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'stopped', 'reminder', 'paid'])
    await pass(7)
    await pass(1)
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'stopped', 'reminder', 'paid', 'stopped'])
  })

  it('shows an invoice that the operator has given up on as uncollectible', async () => {
    const publisher = await plans.publisher('standard-1')
    await failMonthlyPayment(publisher)
    const [open] = openInvoices(publisher)
    Object.assign(open ?? {}, { status: 'uncollectible' })
    await receiveEvent('invoice.marked_uncollectible', String(open?.id), 'evt_uncollectible')
    expect((await getPlan(publisher.ctx, {})).invoices[0]).toMatchObject({ state: 'uncollectible' })
  })

  it('is not changed by duplicate, late, reordered or foreign webhooks', async () => {
    const publisher = await plans.publisher('standard-1')
    const otherPublisher = await plans.publisher('standard-1')
    const before = await plans.account(otherPublisher.id)
    plans.services.clock.advance({ days: 30 })
    plans.stripe.giveCard(publisher.subscription, stripeCards.declinedLater)
    plans.stripe.endMonth(publisher.subscription)
    const invoicesOfPlan = () =>
      [...plans.stripe.objects.values()].filter(
        ({ object, customer }) => object === 'invoice' && customer === subscription(publisher).customer,
      )
    const invoiceId = String(invoicesOfPlan().at(-1)?.id)
    await receiveEvent('invoice.payment_failed', invoiceId, 'evt_failed')
    await receiveEvent('invoice.payment_failed', invoiceId, 'evt_failed')
    expect(await plans.account(publisher.id)).toMatchObject({ planState: 'past-due' })
    expect(await noticesOf(publisher)).toEqual(['unpaid'])
    plans.stripe.giveCard(publisher.subscription, stripeCards.paid)
    await billing().lifecycle.payOpenInvoice(publisher.subscription)
    // It reports a failure but arrives after the payment: the provider is polled for the current state.
    await receiveEvent('invoice.payment_failed', invoiceId, 'evt_late')
    expect(await plans.account(publisher.id)).toMatchObject({ planState: 'active', planUnpaidSince: null })
    await receiveEvent('invoice.paid', invoiceId, 'evt_paid')
    expect(await noticesOf(publisher)).toEqual(['unpaid', 'paid'])
    expect((await getPlan(publisher.ctx, {})).invoices).toHaveLength(2)
    plans.stripe.endPlan(publisher.subscription)
    await receiveEvent('customer.subscription.deleted', publisher.subscription, 'evt_gone')
    await receiveEvent('customer.subscription.updated', publisher.subscription, 'evt_before')
    expect(await plans.account(publisher.id)).toMatchObject({ planState: 'ended' })
    expect(await plans.account(otherPublisher.id)).toEqual(before)
  })

  it('with two concurrent responses keeps the one requested last', async () => {
    const publisher = await plans.publisher('standard-1')
    const ctx = plans.services.as(system)
    const old = await billing().lifecycle.lookUp(publisher.subscription)
    plans.services.clock.advance({ days: 1 })
    await plans.changeTo(publisher, 5)
    const withOldResponse = { ...billing(), lifecycle: { ...billing().lifecycle, lookUp: async () => old } }
    const earlier = {
      ...ctx,
      planBilling: withOldResponse,
      now: () => new Date(plans.services.clock.now.getTime() - 60_000),
    }
    await refreshPlan(earlier, { publisherId: publisher.id })
    expect(await plans.account(publisher.id)).toMatchObject({ planKey: 'standard-5' })
  })
})

describe('the end of a plan', () => {
  it('comes at the end of the month and can be undone until then; after that the publisher starts a new plan', async () => {
    const publisher = await plans.publisher('standard-3', 3)
    await setPlanCancelled(publisher.ctx, { isCancelled: true })
    await setPlanCancelled(publisher.ctx, { isCancelled: 'true' })
    expect(await getPlan(publisher.ctx, {})).toMatchObject({ cancelsAtEnd: true, nextAmount: null })
    expect(await planNotice(publisher.ctx, {})).toMatchObject({ cancelsOn: expect.any(String) })
    await expect(plans.changeTo(publisher, 2)).rejects.toMatchObject({ kind: 'conflict' })
    await setPlanCancelled(publisher.ctx, { isCancelled: false })
    expect(await getPlan(publisher.ctx, {})).toMatchObject({ cancelsAtEnd: false, nextAmount: 16_200 })
    await setPlanCancelled(publisher.ctx, { isCancelled: true })
    plans.stripe.endMonth(publisher.subscription)
    plans.services.clock.advance({ days: 31 })
    await expect(setPlanCancelled(publisher.ctx, { isCancelled: false })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await getPlan(publisher.ctx, {})).toMatchObject({ billingStatus: { kind: 'ended' } })
    expect((await noticesOf(publisher)).filter((kind) => kind !== 'cancelled')).toEqual(['resumed', 'ended'])
    // Returning with a smaller plan pauses two titles. The same choice gets the same page; another choice closes it.
    const paused = publisher.titles.slice(1).join(',')
    await expect(startPlan(publisher.ctx, { titles: 1, key: randomUUID() })).rejects.toMatchObject({ kind: 'invalid' })
    const first = await startPlan(publisher.ctx, { titles: 1, key: randomUUID(), paused })
    expect(await startPlan(publisher.ctx, { titles: 1, key: randomUUID(), paused })).toEqual(first)
    const second = await startPlan(publisher.ctx, { titles: 2, key: randomUUID(), paused: publisher.titles.slice(2) })
    const idOf = (started: typeof first) => ('url' in started ? (started.url.split('/').at(-1) ?? '') : '')
    expect(plans.stripe.objects.get(idOf(first))).toMatchObject({ status: 'expired' })
    expect(await finishPlanStart(publisher.ctx, {})).toEqual({ state: 'open' })
    expect(await getPlan(publisher.ctx, {})).toMatchObject({
      billingStatus: { kind: 'ended' },
      waiting: { kind: 'start' },
    })
    plans.stripe.finishSession(idOf(second), stripeCards.paid)
    await Promise.all([finishPlanStart(publisher.ctx, {}), plans.sweep(), finishPlanStart(publisher.ctx, {})])
    expect(await getPlan(publisher.ctx, {})).toMatchObject({
      billingStatus: { kind: 'active' },
      plan: { key: 'standard-2' },
      allowed: 2,
      waiting: null,
      cancelsAtEnd: false,
    })
    expect(await plans.pausedTitlesOf(publisher.id)).toEqual(publisher.titles.slice(2))
    expect(await finishPlanStart(publisher.ctx, {})).toEqual({ state: 'none' })
    await expect(startPlan(publisher.ctx, { titles: 1, key: randomUUID() })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('leaves an unpaid invoice, which is shown as paid once it is, also while another plan is running', async () => {
    const publisher = await plans.publisher('standard-1')
    const firstState = async () =>
      (await getPlan(publisher.ctx, {})).invoices.find(({ total, state }) => total > 0 && state !== 'paid')?.state
    await failMonthlyPayment(publisher)
    plans.stripe.endPlan(publisher.subscription)
    await refreshPlan(plans.services.as(system), { publisherId: publisher.id })
    expect(await firstState()).toBe('open')
    // No message arrives about the payment of an ended plan's invoice: the sweep finds it.
    const ended = await plans.publisher('standard-1')
    await failMonthlyPayment(ended)
    plans.stripe.endPlan(ended.subscription)
    await refreshPlan(plans.services.as(system), { publisherId: ended.id })
    settleOldest(ended)
    const started = await startPlan(publisher.ctx, { titles: 1, key: randomUUID() })
    if (started.state !== 'redirect') throw new Error('There is no payment page')
    plans.stripe.finishSession(started.url.split('/').at(-1) ?? '', stripeCards.paid)
    expect(await finishPlanStart(publisher.ctx, {})).toEqual({ state: 'done' })
    expect(await firstState()).toBe('open')
    const invoiceId = settleOldest(publisher)
    await receiveEvent('invoice.paid', invoiceId, 'evt_former_paid')
    const { invoices, billingStatus } = await getPlan(publisher.ctx, {})
    expect(invoices.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid'])
    expect(billingStatus).toEqual({ kind: 'active' })
    // A late email about the end would be wrong.
    expect(await sendNotice(publisher, 'ended')).toBe(false)
    plans.services.clock.advance({ days: 2 })
    await plans.sweep()
    expect((await getPlan(ended.ctx, {})).invoices.map(({ state }) => state)).toEqual(['paid', 'paid'])
    expect(await getPlan(ended.ctx, {})).toMatchObject({ billingStatus: { kind: 'ended' } })
  })

  it('keeps the recurring promo code, which is offered again with a new plan, on a payment page of its own', async () => {
    const publisher = await plans.publisher('standard-3', 0, { couponId: 'QUAY20' })
    const withShortCoupon = await plans.publisher('standard-3', 0, { couponId: 'BRIEF' })
    for (const { subscription: id } of [publisher, withShortCoupon]) plans.stripe.endPlan(id)
    plans.services.clock.advance({ days: 2 })
    await plans.sweep()
    expect(await couponForRestart(publisher.ctx, {})).toMatchObject({ id: 'QUAY20', percentOff: 20 })
    // A coupon for the first month only applied to that month.
    expect(await couponForRestart(withShortCoupon.ctx, {})).toBeNull()
    plans.stripe.failNext('/v1/coupons/QUAY20', 500, 3)
    expect(await couponForRestart(publisher.ctx, {})).toBeNull()
    await expect(startPlan(publisher.ctx, { titles: 3, key: randomUUID(), code: 'NONE' })).rejects.toMatchObject({
      fields: { code: 'Promo code invalid or expired' },
    })
    const pages: string[] = []
    for (const code of ['', 'QUAY20', 'OTHER20', '']) {
      const form = { titles: 3, key: randomUUID(), code }
      const page = await startPlan(publisher.ctx, form)
      expect(await startPlan(publisher.ctx, form)).toEqual(page)
      if (page.state === 'redirect') pages.push(page.url.split('/').at(-1) ?? '')
    }
    expect(pages.map((id) => plans.stripe.objects.get(id)?.status)).toEqual(['expired', 'expired', 'expired', 'open'])
    const form = { titles: 3, key: randomUUID(), code: 'QUAY20' }
    const page = await startPlan(publisher.ctx, form)
    if (page.state !== 'redirect') throw new Error('There is no payment page')
    plans.stripe.finishSession(page.url.split('/').at(-1) ?? '', stripeCards.paid)
    expect(await finishPlanStart(publisher.ctx, {})).toEqual({ state: 'done' })
    expect(await getPlan(publisher.ctx, {})).toMatchObject({ coupon: 'QUAY20', nextAmount: 12_960, waiting: null })
  })

  it('is followed by a new plan, whose payment the sweep finds if nobody returns from the payment page', async () => {
    const { id } = await makeUser(plans.services)
    const ctx = plans.services.as(await actorOf(plans.services, 'publisher', id))
    const started = await startPlan(ctx, { titles: 2, key: randomUUID() })
    if (started.state !== 'redirect') throw new Error('There is no payment page')
    plans.stripe.finishSession(started.url.split('/').at(-1) ?? '', stripeCards.paid)
    plans.services.clock.advance({ days: 1 })
    await plans.sweep()
    expect(await getPlan(ctx, {})).toMatchObject({ billingStatus: { kind: 'active' }, plan: { key: 'standard-2' } })
  })
  it('is followed by a new plan even if the provider fails at first: the same form, sent again, has one payment page', async () => {
    const { id } = await makeUser(plans.services)
    const ctx = plans.services.as(await actorOf(plans.services, 'publisher', id))
    const sessions = '/v1/checkout/sessions'
    const countOpened = () => [...plans.stripe.objects.keys()].filter((key) => key.startsWith('cs_')).length
    const openedBefore = countOpened()
    const form = { titles: 2, key: randomUUID() }
    plans.stripe.failNext(sessions, 500, 2)
    await expect(startPlan(ctx, form)).rejects.toMatchObject({ kind: 'upstream' })
    // Opened at the provider, but its response is lost, also the second time.
    for (let n = 0; n < 2; n++) plans.stripe.dropNextResponse(sessions)
    await expect(startPlan(ctx, form)).rejects.toMatchObject({ kind: 'upstream' })
    // Another choice is not the same form.
    await expect(startPlan(ctx, { ...form, code: 'QUAY20' })).rejects.toMatchObject({ kind: 'conflict' })
    const [started, again] = await Promise.all([startPlan(ctx, form), startPlan(ctx, form)])
    expect(again).toEqual(started)
    expect(countOpened()).toBe(openedBefore + 1)
    if (started.state !== 'redirect') throw new Error('There is no payment page')
    plans.stripe.finishSession(started.url.split('/').at(-1) ?? '', stripeCards.paid)
    expect(await finishPlanStart(ctx, {})).toEqual({ state: 'done' })
    await expect(startPlan(ctx, form)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await getPlan(ctx, {})).toMatchObject({ plan: { key: 'standard-2' }, waiting: null })
  })
})

it('a new card is accepted only from its own page, and pays what is due', async () => {
  const publisher = await plans.publisher('standard-1')
  await failMonthlyPayment(publisher)
  await expect(finishPlanCard(publisher.ctx, { session: 'cs_nobody' })).rejects.toMatchObject({ kind: 'invalid' })
  const session = await billing().lifecycle.startCardUpdate({
    subscriptionReference: publisher.subscription,
    customerReference: String(subscription(publisher).customer),
    returnUrl: 'https://x.test/{session}',
    cancelUrl: 'https://x.test/',
    idempotencyKey: randomUUID(),
  })
  const id = session?.url.split('/').at(-1) ?? ''
  plans.stripe.finishSession(id, '5555555555554444')
  expect(await finishPlanCard(publisher.ctx, { session: id })).toEqual({ isPaid: true })
  expect(await getPlan(publisher.ctx, {})).toMatchObject({ billingStatus: { kind: 'active' }, cardLastFour: '4444' })
})

function billing() {
  const { planBilling } = plans.services
  if (!planBilling) throw new Error('Plan billing is not set up')
  return planBilling
}

/** The publisher's context, with a provider that makes plan changes by this function. */
function withChange({ ctx }: PlanPublisher, change: ReturnType<typeof billing>['lifecycle']['change']) {
  return { ...ctx, planBilling: { ...billing(), lifecycle: { ...billing().lifecycle, change } } }
}

/** A function that does the same work, and then fails as if its response had been lost. */
function lostAfter<Given, Answer>(work: (given: Given) => Promise<Answer>): (given: Given) => Promise<Answer> {
  return async (given) => {
    await work(given)
    throw new Error('The response was lost')
  }
}

/** Receives a signed event of the provider, and runs its job. */
async function receiveEvent(type: string, about: string, id: string): Promise<void> {
  const message = plans.stripe.message({ type, about, id, at: plans.services.clock.now })
  await receivePlanEvent(plans.services.as(visitor), message)
  const [event] = await plans.services.db.query<{ id: number }>(`SELECT id FROM plan_events WHERE event_id = :id`, {
    id,
  })
  await handlePlanEvent(plans.services.as(system), { eventId: event?.id })
}
