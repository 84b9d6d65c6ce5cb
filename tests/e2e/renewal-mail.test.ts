import { beforeAll, expect, it } from 'vitest'
import { contextFor } from '#core/context.ts'
import { addDays, addMonths, dayOf } from '#core/kernel/calendar.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { Readers } from '#core/readers/readers.rows.ts'
import { remindersStoppedAt } from '#core/readers/reminder-stops.rows.ts'
import { planEffortsOn } from '#core/series/plan-efforts.ts'
import { setSeries } from '#core/series/series-settings.ts'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makeBuyer, operator, system } from '#tests/support/factories.ts'
import { fieldOf } from '#tests/support/page-facts.ts'
import { makeReader } from '#tests/support/readers.ts'
import { paidOrder, sendRenewalEmails } from '#tests/support/series.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

/** The emails that the worker sent, as a mail server received them. */
let emails: MailServer
beforeAll(async () => {
  emails = await startMailServer()
})

const { server, onPage, asRole } = openVisits({ worker: true, env: () => ({ MAIL_URL: emails.url }) })
const today = dayOf(new Date(), 'Europe/London')

/** A title of the demo's publisher, who sends renewal emails. */
async function makeDemoShop(publicationName: string) {
  const [owner] = await server.services.db.query<{ id: number }>(
    `SELECT publisher_id AS id FROM publications WHERE url_key = 'harbour-light'`,
  )
  const shop = await makeShop(server.services, { publisherId: owner?.id ?? 0, publicationName })
  await sendRenewalEmails(server.services, shop.publisherId)
  return shop
}

/** A buyer with a reader whose subscription ends on a day. */
async function makeSubscriber(shop: Awaited<ReturnType<typeof makeDemoShop>>, subEndOn: string) {
  const { services } = server
  const buyer = await makeBuyer(services, shop.id, { email: `ann-${shop.id}@example.test` })
  const readerId = await makeReader(services, shop.id, {
    title: 'Mrs',
    firstName: 'Ann',
    lastName: 'Lee',
    fullName: 'Mrs Ann Lee',
    email: buyer.email,
    addressOne: '1 Quay Street',
    city: 'Falmouth',
    postCode: 'TR11 3LH',
    country: 'GB',
    subType: 'print',
    subStartOn: addMonths(subEndOn, -12),
    subEndOn,
    subRenewOn: subEndOn,
    subPaid: 2999,
    buyerId: buyer.id,
  })
  const { id: publicationId, publisherId } = shop
  await paidOrder(services, { readerId, publicationId, publisherId }, { on: addMonths(subEndOn, -12) })
  return { buyer, readerId }
}

/** Sends the emails of the series for today; returns the subject and the link of the one to this address. */
async function sendSeriesToday(shop: { id: number; urlKey: string }, email: string) {
  await planEffortsOn(server.as(system), today, { publicationId: shop.id })
  await server.jobsDone()
  const mail = emails.received.find(({ envelope }) => envelope.to.includes(email))
  return {
    subject: mail?.subject,
    link: new RegExp(`/${shop.urlKey}/extend/[\\w.-]+`).exec(mail?.text ?? '')?.[0] ?? '',
  }
}

it('a reader renews by the link in the email of a series that staff have just set up', async () => {
  const shop = await makeDemoShop('Tide and Time')
  // Far from every default effort: the worker may plan those of this title before it has its own.
  const endsOn = addDays(today, 45)
  const { buyer, readerId } = await makeSubscriber(shop, endsOn)
  await asRole('publisher', async ({ page }) => {
    await page.goto(`/renewals/series?publication=${shop.id}`)
    await page.getByRole('link', { name: 'Add an effort' }).click()
    await page.getByRole('heading', { name: 'New effort' }).waitFor()
    await page.getByLabel('Days').fill('45')
    await page.getByLabel('Subject', { exact: true }).fill('Six weeks left')
    await page.getByRole('button', { name: 'Save effort' }).click()
    await page.getByText('Six weeks left').waitFor()
    await page.getByRole('link', { name: 'Recipients' }).click()
    await page.getByRole('heading', { name: /^What is sent on/ }).waitFor()
    await page.getByRole('link', { name: 'See the readers' }).click()
    await page.getByRole('region', { name: 'Readers on this day' }).getByText('Ann Lee').waitFor()
  })
  const { subject, link } = await sendSeriesToday(shop, buyer.email)
  expect(subject).toBe('Six weeks left')
  await onPage(
    async ({ page }) => {
      await page.goto(link)
      await fieldOf(page, 'answer').fill('TR11 3LH')
      await page.getByRole('button', { name: 'Continue' }).click()
      await fieldOf(page, 'payment.cardNumber').fill('4242 4242 4242 4242')
      await payButton(page).click()
      await arrived(page, '**/ordersuccess?**')
    },
    { width: 360 },
  )
  expect(await Readers.find(server.services, { id: readerId })).toMatchObject({ subEndOn: addMonths(endsOn, 12) })
})

it('the link of a win-back email sells nothing to a reader who bought again meanwhile, and says so', async () => {
  const shop = await makeDemoShop('The Long Wave')
  const { buyer, readerId } = await makeSubscriber(shop, addDays(today, -30))
  const { services } = server
  const efforts = [{ dayOffset: 30, channel: 'mail', subject: 'We would like you back' }]
  await setSeries(contextFor(services, operator, { entryPoint: 'test' }), { publicationId: shop.id, efforts })
  const { subject, link } = await sendSeriesToday(shop, buyer.email)
  expect(subject).toBe('We would like you back')
  const form = orderForm(shop, { email: buyer.email, password: undefined })
  const { orderId } = await placeOrder(contextFor(services, buyer.actor, { entryPoint: 'test' }), form)
  await onPage(
    async ({ page }) => {
      await page.goto(link)
      await page.getByRole('heading', { name: 'This subscription has already been renewed' }).waitFor()
      await page.getByText('Your subscription continues, and there is nothing to pay.').waitFor()
      await page.getByRole('link', { name: 'Your account' }).waitFor()
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'renewal-link-bought-again-360')
    },
    { width: 360 },
  )
  const newest = await services.db.query(`SELECT id FROM orders WHERE reader_id = :readerId ORDER BY id DESC LIMIT 1`, {
    readerId,
  })
  expect(newest).toEqual([{ id: orderId }])
})

it('staff stop the series of one reader for its end, see why nothing is sent, and start it again', async () => {
  const shop = await makeDemoShop('The Bell Buoy')
  const { readerId, buyer } = await makeSubscriber(shop, addDays(today, 14))
  await asRole('publisher', async ({ page }) => {
    await page.goto(`/editreader/${readerId}`)
    const readerPage = page.getByRole('main')
    await expect.poll(() => readerPage.innerText()).toContain('14 days before the end')
    await page.getByRole('button', { name: 'Stop the series for this expiry' }).click()
    await page.getByText('Renewal series stopped for this expiry').first().waitFor()
    await page.getByRole('button', { name: 'Start the series again' }).waitFor()
    await expect.poll(() => readerPage.innerText()).toContain('Why none is planned')
    expect(await faultsOf(page)).toEqual([])
    await sendSeriesToday(shop, buyer.email)
    expect(emails.received.filter(({ envelope }) => envelope.to.includes(buyer.email))).toEqual([])

    await page.getByRole('button', { name: 'Start the series again' }).click()
    await page.getByRole('button', { name: 'Stop the series for this expiry' }).waitFor()
    await expect.poll(() => readerPage.innerText()).toContain('14 days before the end')
  })
})

it('a reader without JavaScript stops the reminders by the email’s link, and gets them again', async () => {
  const shop = await makeDemoShop('The Lamp Room')
  const { buyer, readerId } = await makeSubscriber(shop, addDays(today, 14))
  await sendSeriesToday(shop, buyer.email)
  const mail = emails.received.find(({ envelope }) => envelope.to.includes(buyer.email))
  const link = new URL(/^List-Unsubscribe: <(.+)>/m.exec(mail?.raw ?? '')?.[1] ?? '')
  const isStopped = async () =>
    (await remindersStoppedAt(server.services, { readerId, publicationId: shop.id })) !== null
  await onPage(
    async ({ page }) => {
      await page.goto(link.pathname)
      // Opening it changes nothing.
      expect(await isStopped()).toBe(false)
      await page.getByRole('button', { name: 'Stop them' }).click()
      await page.getByText('They have been stopped. You will no longer get them.').waitFor()
      expect(await isStopped()).toBe(true)
      await page.getByRole('button', { name: 'Get them again' }).click()
      await page.getByText('Do you want to stop the reminders that your subscription is ending?').waitFor()
      expect(await isStopped()).toBe(false)
    },
    { javaScriptEnabled: false },
  )
})
