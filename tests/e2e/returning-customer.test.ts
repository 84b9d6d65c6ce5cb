import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { addMonths } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { fieldOf } from '#tests/support/page-facts.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { fillOrder, missingFields, openStorefront, payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits()

const readerEmail = 'reader@demo.masthead.test'

it('a returning customer is recognised after logging in on the order form, and no longer after logging out', () =>
  onPage(
    async ({ page }) => {
      await openStorefront(page, '/harbour-light?country=GB')
      await page
        .getByText('£29.99', { exact: true })
        .and(page.locator(':visible'))
        .or(page.getByRole('tab', { name: 'Digital', exact: true }))
        .first()
        .click()
      await fieldOf(page, 'mobile').fill('07700 900999')
      await page.getByRole('link', { name: 'Log in and your details are filled in.' }).click()
      const dialog = page.getByRole('dialog', { name: 'Returning customer' })
      await dialog.getByLabel('Email').fill(readerEmail)
      await dialog.getByLabel('Password', { exact: true }).fill('masthead')
      await dialog.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('Logged in as').waitFor()
      const loggedIn = page.locator('section', { hasText: 'Logged in as' })
      await expect.poll(() => loggedIn.innerText()).toMatch(/Subscriber since\s+\S+[\s\S]*Current expiry\s+\S+/)
      await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe(readerEmail)
      await expect.poll(() => fieldOf(page, 'email').getAttribute('readonly')).not.toBeNull()
      await expect.poll(() => fieldOf(page, 'firstName').inputValue()).not.toBe('')
      await expect.poll(() => fieldOf(page, 'password').count()).toBe(0)
      await expect.poll(() => fieldOf(page, 'confirmEmail').count()).toBe(0)
      await page
        .getByText(/^You have .* until /)
        .and(page.locator(':visible'))
        .waitFor()
      await takeScreenshot(page, 'returning')
      expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])

      await page.getByRole('button', { name: 'Not you? Log out' }).click()
      await page.getByRole('heading', { name: 'Returning Customers' }).waitFor()
      expect(new URL(page.url()).search).toBe('?country=GB')
      for (const name of ['email', 'firstName', 'mobile', 'billing.addressOne', 'billing.postCode', 'password'])
        await expect.poll(() => fieldOf(page, name).inputValue()).toBe('')
      expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(readerEmail)
    },
    { width: 360 },
  ))

it('a returning customer buys with the existing account, without typing a password', () =>
  onPage(async ({ page }) => {
    await openStorefront(page)
    await page.getByRole('link', { name: 'Log in and your details are filled in.' }).click()
    const dialog = page.getByRole('dialog', { name: 'Returning customer' })
    await dialog.getByLabel('Email').fill(readerEmail)
    await dialog.getByLabel('Password', { exact: true }).fill('masthead')
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Logged in as').waitFor()
    await expect.poll(() => missingFields(page)).toEqual(['Card number'])
    expect(await payButton(page).innerText()).toBe('complete the form')
    await fieldOf(page, 'payment.cardNumber').fill('4242 4242 4242 4242')
    await expect.poll(() => payButton(page).innerText()).toBe('Pay £54.00')
    await payButton(page).click()
    await arrived(page, '**/ordersuccess?**')
    const buyers = await server.services.db.query(`SELECT id FROM buyers WHERE email = :reader`, {
      reader: readerEmail,
    })
    expect(buyers).toHaveLength(1)
    const [order] = await server.services.db.query<{ buyer_id: number }>(
      `SELECT buyer_id FROM orders WHERE email = :reader ORDER BY id DESC LIMIT 1`,
      { reader: readerEmail },
    )
    expect(order?.buyer_id).toBe((buyers[0] as { id: number }).id)
  }))

it.each([true, false])('a buyer with a subscription has to confirm a second one, with scripts: %s', (hasScripts) =>
  onPage(
    async ({ page }) => {
      const email = `twice-${hasScripts}@example.test`
      const shop = await makeShop(server.services)
      const ctx = server.as(visitor)
      await placeOrder(ctx, orderForm(shop, { email, password: 'a-long-password' }))
      await page.goto(`/${shop.urlKey}?country=GB&plan=1PN`)
      await fillOrder(page, email, { card: '4242 4242 4242 4242' })
      await payButton(page).click()
      const confirmation = page.getByLabel('Yes, I want to order it anyway')
      await confirmation.waitFor()
      await expect
        .poll(() => page.locator('#order').innerText())
        .toMatch(/You have Print until \d\d\/\d\d\/\d{4}\. This order continues it from \d\d\/\d\d\/\d{4}\./)
      if (hasScripts) expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
      await takeScreenshot(page, `already-subscribed-${hasScripts}`)
      await confirmation.check()
      for (const name of ['password', 'confirmPassword'])
        if (!(await fieldOf(page, name).inputValue())) await fieldOf(page, name).fill('a-long-password')
      if (!(await fieldOf(page, 'payment.cardNumber').inputValue()))
        await fieldOf(page, 'payment.cardNumber').fill('4242 4242 4242 4242')
      await payButton(page).click()
      await arrived(page, '**/ordersuccess?**')
      const readers = await server.services.db.query(
        `SELECT r.id FROM readers r JOIN buyers b ON b.id = r.buyer_id WHERE b.email = :email`,
        { email },
      )
      expect(readers).toHaveLength(1)
    },
    { width: 360, javaScriptEnabled: hasScripts },
  ),
)

it.each([true, false])(
  'a logged-in buyer sees when the extended subscription renews, and confirms the same product, with scripts: %s',
  (hasScripts) =>
    onPage(
      async ({ page }) => {
        const email = `own-${hasScripts}@example.test`
        const shop = await makeShop(server.services)
        const ctx = server.as(visitor)
        const order = await placeOrder(ctx, orderForm(shop, { email, password: 'a-long-password' }))
        const { endOn } = await termOf(order.orderId)
        await page.goto(`/${shop.urlKey}/login`)
        await page.getByLabel('Email').fill(email)
        await page.getByLabel('Password', { exact: true }).fill('a-long-password')
        await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
        await arrived(page, '**/account')
        await page.goto(`/${shop.urlKey}?country=GB&plan=1PR`)

        const confirmation = page.getByLabel('Yes, I want to order it anyway')
        const renewsOn = formatDay(addMonths(endOn, 12))
        await page
          .getByText(`Renews on ${renewsOn} for £25.00, and again after each term`)
          .and(page.locator(':visible'))
          .waitFor()
        await fieldOf(page, 'payment.cardNumber').fill('4242 4242 4242 4242')
        if (hasScripts) {
          // Another product would run alongside: nothing has to be confirmed for it.
          await page.getByRole('tab', { name: 'Digital', exact: true }).click()
          await page.getByText('£2.99', { exact: true }).and(page.locator(':visible')).first().click()
          await expect.poll(() => payButton(page).innerText()).toBe('Pay £2.99')
          expect(await confirmation.isVisible()).toBe(false)
          await page.getByRole('tab', { name: 'Print', exact: true }).click()
          await page.getByText('£25.00', { exact: true }).and(page.locator(':visible')).first().click()
          await expect.poll(() => missingFields(page)).toEqual(['Yes, I want to order it anyway'])
          expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        } else {
          await payButton(page).click()
          await page
            .getByText(/^You have Print until .* This order continues it from/)
            .first()
            .waitFor()
          await fieldOf(page, 'payment.cardNumber').fill('4242 4242 4242 4242')
        }
        await takeScreenshot(page, `same-product-${hasScripts}`)
        await confirmation.check()
        await payButton(page).click()
        await arrived(page, '**/ordersuccess?**')
        const agreements = await server.services.db.query<{ renews_on: string; consent_text: string }>(
          `SELECT a.renews_on, a.consent_text FROM payment_agreements a JOIN buyers b ON b.id = a.buyer_id WHERE b.email = :email`,
          { email },
        )
        expect(agreements).toEqual([
          {
            renews_on: addMonths(endOn, 12),
            consent_text: expect.stringContaining(`Renews on ${renewsOn} for £25.00`),
          },
        ])
      },
      { width: 360, javaScriptEnabled: hasScripts },
    ),
)

/** The last day of the term that an order bought. */
async function termOf(orderId: number): Promise<{ endOn: string }> {
  const [order] = await server.services.db.query<{ endOn: string }>(
    `SELECT sub_end_on AS "endOn" FROM orders WHERE id = :orderId`,
    { orderId },
  )
  if (!order) throw new Error(`There is no order ${orderId}`)
  return order
}
