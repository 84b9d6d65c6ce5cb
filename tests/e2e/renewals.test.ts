import type { ParsedMail } from 'mailparser'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { chargeDueRenewals } from '#core/charging/charge-renewals.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'
import {
  arrived,
  faultsOf,
  hydrated,
  layoutFaultsOf,
  takeScreenshot,
  type WatchedPage,
} from '#tests/support/browser.ts'
import { mainText } from '#tests/support/page-facts.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { openVisits } from '#tests/support/visits.ts'

/** The emails that the worker sent, as a mail server received them. */
let emails: MailServer
beforeAll(async () => {
  emails = await startMailServer()
})

const { server, onPage, asRole, asUser } = openVisits({ worker: true, env: () => ({ MAIL_URL: emails.url }) })

it('shows what renews, what failed and the results', () =>
  asRole('publisher', async ({ page }) => {
    for (const [show, heading] of [
      ['coming', 'By month'],
      ['failed', 'What comes next'],
      ['yield', 'Share paid'],
    ] as const) {
      await page.goto(`/renewals?show=${show}`)
      await page.getByText(heading, { exact: true }).first().waitFor()
      await takeScreenshot(page, `renewals-${show}`)
    }
  }))

it('has settings for a title: wrong ones are refused with a message, reset restores the default', () =>
  asRole('publisher', async ({ page }) => {
    await page.goto('/renewals')
    await page.getByRole('link', { name: 'Settings' }).click()
    await arrived(page, '**/renewals/settings')
    const retries = page.getByLabel('Days after which a declined card is retried')
    await retries.fill('1, 3, 40')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Enter no day after 21, the last day of the grace period').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('Grace period in days').fill('40')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Renewal settings saved').waitFor()
    await checkPage(page, 'renewal-settings')
    await page.getByRole('button', { name: 'Reset to defaults' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset to defaults' }).click()
    await page.getByText('Renewal settings reset').waitFor()
    await expect.poll(() => retries.inputValue()).toBe('1, 3, 7, 14')
  }))

it('stops a failed renewal after a confirmation', () =>
  asRole('publisher', async ({ page }) => {
    // It depends on the day whether the demo has a renewal within the grace period.
    await server.services.db.run(
      `UPDATE renewals SET state = 'retrying', attempts = 1, decline_code = 'insufficient_funds', next_try_on = :next,
         reason = 'The card has insufficient funds'
       WHERE id = (SELECT MIN(w.id) FROM renewals w JOIN payment_agreements a ON a.id = w.agreement_id
         WHERE w.state = 'planned' AND a.state = 'active')`,
      { next: addDays(dayOf(new Date(), server.services.settings.timeZone), 2) },
    )
    await page.goto('/renewals?show=failed')
    await page.getByRole('button', { name: 'Stop the renewal' }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop the renewal' }).click()
    await page.getByText('Automatic renewal stopped. The reader is notified by email.').waitFor()
    const stopped = await server.services.db.query(`SELECT id FROM payment_agreements WHERE end_reason = 'staff'`)
    expect(stopped).toHaveLength(1)
  }))

it('sets a new price for renewals after a preview, and withdraws it', () =>
  asRole('publisher', async ({ page }) => {
    const { db } = server.services
    const [busiest] = await db.query<{ id: number }>(
      `SELECT publication_id AS id FROM payment_agreements WHERE state = 'active' GROUP BY publication_id ORDER BY COUNT(*) DESC LIMIT 1`,
    )
    await page.goto(`/renewals?publication=${busiest?.id}`)
    await page.getByRole('link', { name: 'Renewal prices' }).click()
    await arrived(page, '**/renewals/prices?publication=*')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Enter an amount such as 29.00').first().waitFor()
    await checkPage(page, 'renewal-prices-refused')
    await page.getByLabel('New price per term').fill('99.00')
    await page.getByLabel('Takes effect').fill('01/01/2030')
    await page.getByRole('button', { name: 'Preview' }).click()
    await arrived(page, '**#preview')
    await page.getByRole('heading', { name: /99\.00 from 01\/01\/2030/ }).waitFor()
    await checkPage(page, 'renewal-prices-preview')
    await page.getByRole('button', { name: 'Set this price' }).click()
    await takeScreenshot(page, 'renewal-prices-asks')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Set this price' }).click()
    await page.getByText('New price set for').waitFor()
    await checkPage(page, 'renewal-prices-decided')
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('New price withdrawn.').waitFor()
    expect(await db.query(`SELECT state, new_price FROM renewal_price_changes`)).toEqual([
      { state: 'withdrawn', new_price: 9900 },
    ])
  }))

describe('a renewal of a reader', () => {
  it('whose card fails is paid by the emailed link, on a phone and without a log-in, and shown as paid everywhere', async () => {
    const { shop, email, staff } = await makeSubscription(demoCards.declinedLater)
    await chargeToday(shop)
    const { text } = await mailWith(email, 'Your renewal could not be paid')
    const link = new URL(/https?:\S+\/renew\/\S+/.exec(text ?? '')?.[0] ?? '').pathname
    await onPage(
      async ({ page, context }) => {
        await page.goto(link)
        await page.getByRole('heading', { name: 'Your renewal', level: 1 }).waitFor()
        expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
        await takeScreenshot(page, 'renew-due-360')
        await page.getByLabel('Card number').fill(demoCards.insufficientFunds)
        await page.getByRole('button', { name: 'Pay £25.00' }).click()
        await page.getByText('This card was declined. Please try another one.').waitFor()
        await takeScreenshot(page, 'renew-declined-360')
        await page.getByLabel('Card number').fill(demoCards.paid)
        await page.getByRole('button', { name: 'Pay £25.00' }).click()
        await page.getByText('Your renewal is paid. The receipt will come by email.').waitFor()
        await page.reload()
        await page.getByText('Your renewal is paid. The receipt will come by email.').waitFor()
        await takeScreenshot(page, 'renew-paid-360')
        expect((await mailWith(email, 'Your order')).text).toContain('£25.00')

        await logIn(context, shop, email)
        await page.goto(`/${shop.urlKey}/account`)
        await expect.poll(() => mainText(page)).toMatch(/Renews automatically on \S+ for £25\.00\./)
        expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
        await takeScreenshot(page, 'account-renewed-360')
      },
      { width: 360, height: 740 },
    )
    await asUser(staff, async ({ page }) => {
      await page.goto('/renewals?show=failed')
      await page.getByText('No renewal has failed').waitFor()
      await page.goto('/renewals?show=yield')
      await page.getByRole('cell', { name: '1, £25.00' }).waitFor()
      await page.goto(`/editreader/${await readerOf(shop)}`)
      await page.getByText('1 earlier renewal').click()
      await page.getByText('Paid', { exact: true }).first().waitFor()
      await page
        .getByRole('link', { name: /^Order OD-/ })
        .first()
        .click()
      await page.getByText('Attempt 1 declined').waitFor()
      await checkPage(page, 'order-of-a-renewal')
    })
  })

  it('is stopped by the reader in the account, and by staff on the renewals page; each sees that it is off', async () => {
    const active = await makeSubscription(demoCards.paid)
    await onPage(async ({ page, context }) => {
      await logIn(context, active.shop, active.email)
      await page.goto(`/${active.shop.urlKey}/account`)
      await checkPage(page, 'account-on')
      await page.getByRole('link', { name: 'Turn off automatic renewal' }).click()
      await page.getByRole('button', { name: 'Turn off automatic renewal' }).click()
      await expect.poll(() => mainText(page)).toContain('It does not renew automatically.')
    })
    await asUser(active.staff, async ({ page }) => {
      await page.goto(`/editreader/${await readerOf(active.shop)}`)
      await page.getByText('The reader turned the automatic renewal off').first().waitFor()
      await checkPage(page, 'reader-off')
      await page.goto('/renewals')
      await page.getByText('Nothing renews in the next 60 days').waitFor()
    })

    const failed = await makeSubscription(demoCards.lostLater)
    await chargeToday(failed.shop)
    await asUser(failed.staff, async ({ page }) => {
      await page.goto(`/editreader/${await readerOf(failed.shop)}`)
      await page.getByText('The card was reported lost').waitFor()
      await checkPage(page, 'reader-failed')
      await page.getByRole('button', { name: 'Send a card link' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Send a card link' }).click()
      await page.getByText(`The link is on its way to ${failed.email}`).waitFor()
      expect((await mailWith(failed.email, 'Change the card')).text).toContain('/renew/')
      await page.getByRole('button', { name: 'Try again now' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Try again now' }).click()
      await page.getByText('it must not be tried again').waitFor()
      expect(await layoutFaultsOf(page)).toEqual([])
      await takeScreenshot(page, 'reader-refused')

      await page.goto('/renewals?show=failed')
      expect(await layoutFaultsOf(page)).toEqual([])
      await takeScreenshot(page, 'renewals-failed-one')
      await page.getByRole('button', { name: 'Stop the renewal' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stop the renewal' }).click()
      await page.getByText('Automatic renewal stopped. The reader is notified by email.').waitFor()
      await page.getByText('No renewal has failed').waitFor()
    })
    expect((await mailWith(failed.email, 'Your automatic renewal is off')).text).toContain('no more money is taken')
    await onPage(async ({ page, context }) => {
      await logIn(context, failed.shop, failed.email)
      await page.goto(`/${failed.shop.urlKey}/account`)
      await page.getByText('It does not renew automatically.').waitFor()
      expect(await mainText(page)).not.toContain('could not be paid')
    })
  })
})

/** A year of print that renews today and was bought a year ago with this card: its shop, its buyer and its publisher. */
async function makeSubscription(cardNumber: string) {
  const shop = await makeShop(server.services, { publicationName: 'The Tide Table' })
  const form = orderForm(shop, { plan: '1PR25.00', payment: { details: { cardNumber } } })
  await placeOrder(asVisitor(), form)
  for (const [table, column, day] of [
    ['orders', 'ordered_on', addDays(today(), -365)],
    ['payment_agreements', 'renews_on', today()],
    ['readers', 'sub_end_on', today()],
  ] as const)
    await server.services.db.run(`UPDATE ${table} SET ${column} = :day WHERE publication_id = :id`, {
      day,
      id: shop.id,
    })
  const [user] = await server.services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, {
    id: shop.publisherId,
  })
  return { shop, email: String(form.email), staff: user?.email ?? '' }
}

type Shop = Awaited<ReturnType<typeof makeShop>>

const asVisitor = () => server.as(visitor)

const today = () => dayOf(new Date(), server.services.settings.timeZone)

/** Announces the renewals that are due today, as if a month ago, and charges them. */
async function chargeToday({ id: publicationId }: Shop): Promise<void> {
  const ctx = server.as({ kind: 'system' })
  const announcedOn = addDays(today(), -30)
  await planDay(ctx, announcedOn, { publicationId })
  await server.jobsDone()
  await server.services.db.run(
    `UPDATE emails SET sent_at = :noticed WHERE publication_id = :publicationId AND email_key LIKE 'renewal-notice:%'`,
    { noticed: new Date(`${announcedOn}T12:00:00Z`), publicationId },
  )
  await chargeDueRenewals(ctx, today(), { publicationId })
}

async function mailWith(email: string, subject: string): Promise<ParsedMail> {
  await server.jobsDone()
  const found = emails.received.findLast((mail) => mail.subject?.includes(subject) && toOf(mail) === email)
  if (!found) throw new Error(`No email ${subject} went to ${email}`)
  return found
}

const toOf = ({ to }: ParsedMail) => [to].flat()[0]?.text

async function logIn(context: WatchedPage['context'], { id: publicationId }: Shop, email: string): Promise<void> {
  const { sessionToken } = await logInBuyer(asVisitor(), { publicationId, email, password: 'masthead' })
  await context.addCookies([{ name: `masthead-reader-${publicationId}`, value: sessionToken, url: server.url }])
}

async function readerOf({ id }: Shop): Promise<number> {
  const [reader] = await server.services.db.query<{ id: number }>(`SELECT id FROM readers WHERE publication_id = :id`, {
    id,
  })
  return reader?.id ?? 0
}

/** The page has no fault, on a phone and on a desktop. */
async function checkPage(page: Page, name: string): Promise<void> {
  await hydrated(page)
  expect(await faultsOf(page, { alsoAt: [360] }), name).toEqual([])
  await takeScreenshot(page, name)
}
