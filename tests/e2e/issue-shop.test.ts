import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, hydrated, layoutFaultsOf, loadAfter, takeScreenshot } from '#tests/support/browser.ts'
import { expandAddress, fieldOf, mainText } from '#tests/support/page-facts.ts'
import { chooseCountry, fillOrder, issueCard, missingFields, payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage, asRole } = openVisits({ worker: true })

const issueBox = (page: Page, volume: string) => page.getByRole('checkbox', { name: volume })
const acceptedCard = '4242 4242 4242 4242'
const declinedCard = '4000 0000 0000 0002'

async function stockOf(volume: string): Promise<number | null | undefined> {
  const [row] = await server.services.db.query<{ stock: number | null }>(
    `SELECT stock FROM back_issues WHERE volume = :volume AND removed_at IS NULL`,
    { volume },
  )
  return row?.stock
}

/** Adds an issue of the demo's publication for a test, in place of that of an earlier attempt. */
async function putOnSale(volume: string, stock: number | null): Promise<void> {
  await server.services.db.run(
    `DELETE FROM back_issues WHERE volume = :volume AND id NOT IN (SELECT back_issue_id FROM order_items WHERE back_issue_id IS NOT NULL)`,
    { volume },
  )
  await server.services.db.run(
    `INSERT INTO back_issues (publication_id, volume, description, stock, price, postage, price_us, created_at, updated_at)
     SELECT id, :volume, 'Made for a test', :stock, 650, 150, 900, created_at, updated_at FROM publications WHERE url_key = 'harbour-light'`,
    { volume, stock },
  )
}

/** The shop's page, once it shows the issue: an earlier version is cached for a few seconds. */
async function openShop(page: Page, volume: string, search = ''): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.goto(`/harbour-light/issues${search}`)
        return issueBox(page, volume).count()
      },
      { timeout: 15_000 },
    )
    .toBe(1)
}

describe('the shop', () => {
  it('of individual issues has no faults at any width, when opened and when refused', async () => {
    await onPage(async ({ page }) => {
      await page.goto('/harbour-light')
      await page.getByRole('link', { name: 'Buy individual issues' }).click()
      await page.getByRole('heading', { name: 'Individual issues of Harbour Light' }).waitFor()
      await hydrated(page)
      expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      const issue = page.getByRole('checkbox').and(page.locator('[name=backIssues]:enabled')).first()
      await issue.check()
      await issue.uncheck()
      await page.reload()
      await expect.poll(() => issue.isChecked()).toBe(false)
      await issue.check()
      await expandAddress(page)
      await fieldOf(page, 'billing.addressOne').fill('1 Quay Street')
      await fieldOf(page, 'billing.postCode').fill('TR11 3LH')
      await payButton(page).click()
      await page.locator('[id="field-payment.cardNumber-error"]').getByText('Required').waitFor()
      expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      await page.getByRole('link', { name: 'Back to subscriptions' }).click()
      await page.getByText('Choose your subscription').waitFor()
    })
  })

  it('is not offered if no single copies are sold', async () => {
    await onPage(async ({ page }) => {
      await page.goto('/slow-steam')
      await expect.poll(() => page.getByRole('link', { name: 'Buy individual issues' }).count()).toBe(0)
      expect((await page.goto('/slow-steam/issues'))?.status()).toBe(200)
      await page.getByText('There are no individual issues to buy at the moment.').waitFor()
      expect(await faultsOf(page)).toEqual([])
      expect((await page.goto('/no-such-title/issues'))?.status()).toBe(404)
    })
  })

  it('totals by keyboard, shows postage apart, lists what is missing, and follows the country', async () => {
    await putOnSale('Counted', 3)
    await putOnSale('Sold out', 0)
    await onPage(async ({ page }) => {
      await openShop(page, 'Counted')
      await expect.poll(() => issueBox(page, 'Sold out').isDisabled()).toBe(true)
      await page.getByText('Out of stock').first().waitFor()
      await expect.poll(() => missingFields(page)).toEqual(['At least one issue', 'Address line 1', 'Postcode'])
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBe('true')
      await issueBox(page, 'Counted').focus()
      await page.keyboard.press('Space')
      const summary = page.getByRole('region', { name: 'Your order' })
      await summary.getByText('1 issue chosen').waitFor()
      await expect
        .poll(() => summary.innerText())
        .toMatch(/Issues\s+£6\.50\s+Postage\s+£1\.50\s+Total\s+£8\.00\u00A0GBP/)
      await expandAddress(page)
      await fieldOf(page, 'billing.addressOne').fill('1 Quay Street')
      await fieldOf(page, 'billing.postCode').fill('TR11 3LH')
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBe(null)
      await expect.poll(() => payButton(page).innerText()).toBe('Pay £8.00')
      await chooseCountry(page, 'Norway')
      // The address fields are rendered again with the prices: what is typed in between goes to a field that is replaced.
      await page.getByText('Prices now in US dollars').waitFor()
      await fieldOf(page, 'billing.postCode').fill('0150')
      await expect.poll(() => payButton(page).innerText()).toBe('Pay $9.00')
      await expect.poll(() => fieldOf(page, 'billing.addressOne').inputValue()).toBe('1 Quay Street')
      // The issue is not sold for euros: though ticked, it is no longer part of the order.
      await chooseCountry(page, 'Ireland')
      await page.getByText('Prices now in euros').waitFor()
      await summary.getByText('No issue chosen yet').waitFor()
      await expect.poll(() => payButton(page).innerText()).toBe('complete the form')
    })
  })

  it('sells a copy: declined, then paid; the page after it, its reload, the emails, the ledger and the sold count agree', async () => {
    await putOnSale('Winter storms', 1)
    await onPage(async ({ page }) => {
      await openShop(page, 'Winter storms')
      await issueBox(page, 'Winter storms').check()
      await fillOrder(page, 'first@example.test', { card: declinedCard })
      await payButton(page).click()
      await page.getByRole('alertdialog').getByText('Sorry your payment has been declined').waitFor()
      await page.getByRole('button', { name: 'Back to the payment methods' }).click()
      await expect.poll(() => stockOf('Winter storms')).toBe(1)
      await expect.poll(() => issueBox(page, 'Winter storms').isChecked()).toBe(true)
      await fieldOf(page, 'payment.cardNumber').fill(acceptedCard)
      await payButton(page).dblclick()
      await arrived(page, '**/ordersuccess?**')
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      const text = await mainText(page)
      expect(text).toMatch(/Winter storms\s+£6\.50 \+ £1\.50 postage[\s\S]*£8\.00\u00A0GBP/)
      expect(text).not.toMatch(/Starts|Ends|Renews|next issue on/)
      expect(await faultsOf(page)).toEqual([])
      await page.reload()
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      expect(await stockOf('Winter storms')).toBe(0)
      const orderNumber = new URL(page.url()).searchParams.get('orderNumber') ?? ''
      const orders = await server.services.db.query<{ id: number; reader_id: number | null }>(
        `SELECT id, reader_id FROM orders WHERE email = 'first@example.test' AND state = 'paid'`,
      )
      expect(orders).toMatchObject([{ reader_id: null }])
      // Not polled for: a demo that has just started may have hundreds of renewal emails to send first.
      await server.jobsDone()
      const emails = (await server.services.mail.devMailbox?.list(1000)) ?? []
      expect(emails.filter(({ subject }) => subject.includes(orderNumber))).toHaveLength(2)
      await asRole('publisher', async ({ page: office }) => {
        await office.goto(`/payments?q=${orderNumber}`)
        await office.getByText('Back issue: Winter storms').first().waitFor()
        expect(await layoutFaultsOf(office)).toEqual([])
        await office.goto(`/orderDetails/${orders[0]?.id}`)
        await expect
          .poll(() => office.locator('main').innerText())
          .toMatch(
            /Winter storms\s+£6\.50\s+Winter storms, postage\s+£1\.50\s+Total\s+£8\.00 GBP\s+Fulfilled\s+£0\.00\s+Liability\s+£8\.00/,
          )
        expect(await layoutFaultsOf(office)).toEqual([])
        await office.goto('/backIssues')
        await office.getByRole('link', { name: 'Copies to post (1)' }).click()
        await arrived(office, '**/backIssues/toPost')
        await office.getByRole('button', { name: 'Mark selected as posted' }).click()
        await office.getByRole('alert').getByText('Choose at least one order').waitFor()
        expect(await faultsOf(office, { alsoAt: [360] })).toEqual([])
        await takeScreenshot(office, 'copies-to-post')
        await office.getByRole('checkbox', { name: /^OD-/ }).check()
        await office.getByRole('button', { name: 'Mark selected as posted' }).click()
        await office.getByText('Nothing to post').waitFor()
        await office.goto(`/orderDetails/${orders[0]?.id}`)
        await expect
          .poll(() => office.locator('main').innerText())
          .toMatch(/Posted\s+\d\d\/\d\d\/\d{4}[\s\S]*Fulfilled\s+£8\.00\s+Liability\s+£0\.00/)
        await office.getByRole('button', { name: 'Mark as not posted' }).click()
        await expect.poll(() => office.locator('main').innerText()).toMatch(/Posted\s+Not yet[\s\S]*Liability\s+£8\.00/)
        await office.goto('/backIssues')
        await expect
          .poll(() => issueCard(office, 'Winter storms').innerText())
          .toMatch(/Stock: 0 copies left[\s\S]*1 sold/)
      })
    })
  })

  it('tells the second of two buyers that the last copy is gone, and sells the rest of the order', async () => {
    await putOnSale('Last copy', 1)
    await putOnSale('Plenty', null)
    await onPage(async ({ page }) => {
      await openShop(page, 'Plenty')
      await issueBox(page, 'Last copy').check()
      await issueBox(page, 'Plenty').check()
      await server.services.db.run(`UPDATE back_issues SET stock = 0 WHERE volume = 'Last copy'`)
      await fillOrder(page, 'second@example.test', { card: acceptedCard })
      await payButton(page).click()
      await page.getByRole('alert').getByText('“Last copy” is out of stock.').waitFor()
      await expect.poll(() => payButton(page).innerText()).toBe('Pay £8.00')
      await fieldOf(page, 'payment.cardNumber').fill(acceptedCard)
      await payButton(page).click()
      await arrived(page, '**/ordersuccess?**')
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      await expect.poll(() => mainText(page)).toContain('£8.00\u00A0GBP')
    })
  })

  it('works without JavaScript: the country, the total, an order whose total was not shown, the order with the shown total', async () => {
    await putOnSale('Paper only', 5)
    await putOnSale('Second issue', null)
    await onPage(
      async ({ page }) => {
        await openShop(page, 'Paper only', '?country=GB')
        await page.locator('#country-select').selectOption('US')
        await issueBox(page, 'Paper only').check()
        await loadAfter(page, () => page.getByRole('button', { name: 'Show prices' }).click())
        await expect.poll(() => mainText(page)).toContain('$9.00\u00A0USD')
        await page.getByRole('button', { name: 'Calculate the total' }).click()
        await expect.poll(() => mainText(page)).toContain('$9.00\u00A0USD')
        await expect.poll(() => payButton(page).innerText()).toBe('Pay $9.00')
        await issueBox(page, 'Second issue').check()
        const fields = { 'billing.postCode': '10001' }
        await fillOrder(page, 'noscript@example.test', { card: acceptedCard, fields })
        await payButton(page).click()
        await expect.poll(() => mainText(page)).toContain('The total is $18.00. Please check it and order again.')
        await expect.poll(() => payButton(page).innerText()).toBe('Pay $18.00')
        await fillOrder(page, 'noscript@example.test', { card: acceptedCard })
        await payButton(page).click()
        await page
          .locator('[id="field-billing.postCode-error"]')
          .getByText('This postcode does not exist in this country. Please check it.')
          .waitFor()
        await fillOrder(page, 'noscript@example.test', { card: acceptedCard, fields })
        await payButton(page).click()
        await arrived(page, '**/ordersuccess?**')
        await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
        await expect.poll(() => mainText(page)).toContain('$18.00\u00A0USD')
        expect(await stockOf('Paper only')).toBe(4)
      },
      { javaScriptEnabled: false, width: 360 },
    )
  })
})
