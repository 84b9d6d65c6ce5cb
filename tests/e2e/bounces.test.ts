import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { AddressMarks } from '#core/bounces/address-marks.rows.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { Publications } from '#core/publications/publications.rows.ts'
import { Users } from '#core/users/users.rows.ts'
import { arrived, faultsOf, hydrated, takeScreenshot } from '#tests/support/browser.ts'
import { statusReport } from '#tests/support/delivery-reports.ts'
import { fillDisk } from '#tests/support/full-disk.ts'
import { fieldOf, toastWith } from '#tests/support/page-facts.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openVisits } from '#tests/support/visits.ts'

const token = 'token-of-the-mail-server'
const { server, onPage, asUser } = openVisits({
  worker: true,
  env: { MAIL_BOUNCES: 'bounces@example.com', MAIL_BOUNCES_TOKEN: token },
})

let shop: Awaited<ReturnType<typeof makeShop>>
let publisherEmail: string
beforeAll(async () => {
  shop = await makeShop(server.services, { publicationName: 'The Pilot Cutter', urlKey: 'pilot-cutter' })
  publisherEmail = (await Users.find(server.services, { id: shop.publisherId }))?.email ?? ''
})

const visitorCtx = () => server.as(visitor)
const bounceNote = (page: Page, email: string) => page.getByText(`Emails bounce: ${email}`)

/** A reader whose receipt the mail server reports as undeliverable. */
async function readerWithBounce(name: string): Promise<string> {
  const email = `${name}@lost.example`
  await placeOrder(visitorCtx(), orderForm(shop, { email }))
  await server.jobsDone()
  const receipt = (await server.services.mail.devMailbox?.list(1000))?.find(({ to }) => to === email)
  const bounceAddress = receipt?.envelope?.from ?? ''
  expect(bounceAddress).toMatch(/^bounces\+/)
  const diagnostic = 'smtp; 550 5.1.1 No such user here'
  const response = await fetch(`${server.url}/api/webhooks/mail/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: statusReport({ to: bounceAddress, recipient: email, diagnostic }),
  })
  expect(response.status).toBe(200)
  return email
}

describe('a bounced email', () => {
  it('is shown to staff with the server’s reply, and retried on request', async () => {
    const email = await readerWithBounce('staff')
    await asUser(
      publisherEmail,
      async ({ page }) => {
        await page.goto(`/emailtemplates/${shop.id}`)
        await page.getByText('to an unknown address').waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'bounced-figures')
        await page.goto(`/managedata?publication=${shop.id}&view=bouncedemails`)
        await page.getByRole('heading', { name: 'Bounced Emails' }).first().waitFor()
        const row = page.getByRole('row').filter({ hasText: email })
        await row.first().waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'bounced-emails')
        await row.getByRole('link').first().click()
        await arrived(page, '**/editreader/**')
        await bounceNote(page, email).waitFor()
        // The mail log below it shows the server's reply, too.
        await page.getByText('The mail server’s response: “550 5.1.1 No such user here”').waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'bounced-reader')
        await hydrated(page)
        await page.getByRole('button', { name: 'Try this address again' }).click()
        await toastWith(page, 'Emails to this address are no longer blocked').waitFor()
        await expect.poll(() => bounceNote(page, email).count()).toBe(0)
      },
      { width: 360 },
    )
  })

  it('is shown to its reader, who corrects the address', async () => {
    const email = await readerWithBounce('reader')
    const newEmail = 'found@example.test'
    const { sessionToken } = await logInBuyer(visitorCtx(), { publicationId: shop.id, email, password: 'masthead' })
    await onPage(
      async ({ page, context }) => {
        await context.addCookies([{ name: `masthead-reader-${shop.id}`, value: sessionToken, url: server.url }])
        await page.goto('/pilot-cutter/account')
        const notice = page.getByText(`We could not deliver our emails to ${email}.`)
        await notice.waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'bounced-account')
        await page.getByRole('link', { name: 'Change the email' }).first().click()
        await arrived(page, '**/account/email')
        await fieldOf(page, 'email').fill(newEmail)
        await fieldOf(page, 'confirmEmail').fill('other@example.test')
        await fieldOf(page, 'currentPassword').fill('masthead')
        await page.getByRole('button', { name: 'Change the email' }).click()
        await page.getByText('Emails must match').first().waitFor()
        expect(await fieldOf(page, 'email').inputValue()).toBe(newEmail)
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'change-email')
        await fieldOf(page, 'confirmEmail').fill(newEmail)
        await fieldOf(page, 'currentPassword').fill('masthead')
        await page.getByRole('button', { name: 'Change the email' }).click()
        await toastWith(page, 'Your email has been changed').waitFor()
        await expect.poll(() => notice.count()).toBe(0)
        await page.getByText(newEmail).first().waitFor()
      },
      { width: 360 },
    )
    const notices = async () =>
      (await server.services.mail.devMailbox?.list(1000))?.filter(({ subject }) =>
        /email of your account/i.test(subject),
      )
    await expect.poll(async () => (await notices())?.map(({ to }) => to)).toContain(newEmail)
    expect((await notices())?.map(({ to }) => to)).not.toContain(email)
  })

  it('of a publication’s own address says why it could not be retried', async () => {
    const { services } = server
    const addressKey = 'orders@lost.example'
    await Publications.update(services, { id: shop.id }, { orderEmailAddress: addressKey })
    await AddressMarks.insertNew(services, { publisherId: shop.publisherId, addressKey, bouncedAt: services.now() })
    await asUser(publisherEmail, async ({ page, problems }) => {
      await page.goto(`/emailtemplates/${shop.id}`)
      const makeRoom = await fillDisk(services, '1 = 1', { table: 'address_marks', event: 'UPDATE' })
      await page.getByRole('button', { name: 'Try this address again' }).click()
      await page.getByRole('alert').getByText('The disk of the database is full').waitFor()
      await makeRoom()
      expect(problems().every((problem) => problem.includes('503'))).toBe(true)
      expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      await page.getByRole('button', { name: 'Try this address again' }).click()
      await expect.poll(() => bounceNote(page, addressKey).count()).toBe(0)
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    })
  })
})
