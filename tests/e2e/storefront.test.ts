import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, goBack, layoutFaultsAt, takeScreenshot } from '#tests/support/browser.ts'
import { deferred } from '#tests/support/deferred.ts'
import { fieldOf, focusedId } from '#tests/support/page-facts.ts'
import {
  chooseCountry,
  fillOrder,
  missingFields,
  openStorefront,
  payButton,
  payWithLostResponse,
} from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits()

const validCard = '4242 4242 4242 4242'

describe('the storefront', () => {
  it('has no faults on screens, tablets and phones, when opened and with every message shown', () =>
    onPage(async ({ page }) => {
      const setWidth = (width: number) => page.setViewportSize({ width, height: 900 })
      await openStorefront(page)
      await takeScreenshot(page, 'storefront-1280')
      const topOf = async (name: string) => (await fieldOf(page, name).boundingBox())?.y
      expect(await topOf('confirmPassword')).toBe(await topOf('password'))
      expect(await faultsOf(page, { alsoAt: [768] })).toEqual([])
      await setWidth(360)
      await takeScreenshot(page, 'storefront-360')
      // A phone has tabs for the products.
      expect(await faultsOf(page, { isPhoneOnly: true, alsoAt: [320] })).toEqual([])
      await fieldOf(page, 'firstName').press('Enter')
      await page.locator('[id="field-lastName-error"]').waitFor()
      await page.getByLabel('It is a gift for somebody else').check()
      await takeScreenshot(page, 'storefront-messages-360')
      expect(await layoutFaultsAt(page, [360, 320])).toEqual([])
      await setWidth(1280)
      await takeScreenshot(page, 'storefront-messages-1280')
      expect(await faultsOf(page, { alsoAt: [768] })).toEqual([])
    }))

  it('shows at most eleven fields at first, and marks all required ones in the same way', async () => {
    await onPage(async ({ page }) => {
      await openStorefront(page)
      await page.getByText('£29.99', { exact: true }).click()
      const fields = page.locator(
        'main input:is([type=text],[type=email],[type=tel],[type=password]):visible, main select:visible',
      )
      await expect.poll(() => fields.count()).toBeLessThanOrEqual(11)
      await page.getByLabel('It is a gift for somebody else').evaluate((checkbox: HTMLInputElement) => checkbox.click())
      await page.getByText('Fields marked * are required.').waitFor()
      const requiredFields = page.locator('main :is(input, select)[aria-required=true]')
      const starredLabels = page.locator('main label[for^="field-"]').filter({ hasText: /\*$/ })
      const requiredIds = await requiredFields.evaluateAll((all) => all.map(({ id }) => id).sort())
      expect(requiredIds).toContain('field-shipping.firstName')
      await expect
        .poll(() => starredLabels.evaluateAll((all) => all.map((label) => (label as HTMLLabelElement).htmlFor).sort()))
        .toEqual(requiredIds)
      await expect.poll(() => page.getByText('(optional)').count()).toBe(0)
    })
  })

  it('shows each country its own prices and keeps the entries', async () => {
    await onPage(async ({ page }) => {
      // The plan is chosen before the scripts have loaded.
      const loading = deferred()
      await page.route('**/assets/*.js', async (route) => {
        await loading.promise
        await route.continue()
      })
      const opening = openStorefront(page)
      await page.getByText('£29.99', { exact: true }).click()
      loading.resolve()
      await opening
      await fieldOf(page, 'firstName').fill('Zoë')
      await fieldOf(page, 'password').fill('not lost')
      await chooseCountry(page, 'Ireland')
      await page.getByText('Prices now in euros').waitFor()
      await page.getByText('€34.99 EUR').and(page.locator(':visible')).first().waitFor()
      await expect.poll(() => fieldOf(page, 'firstName').inputValue()).toBe('Zoë')
      await expect.poll(() => fieldOf(page, 'password').inputValue()).toBe('not lost')
    })
  })

  it('returns 404 for an unknown handle, in its own design, and ignores the case of a known one', async () => {
    await onPage(async ({ page }) => {
      expect((await page.goto('/no-such-title'))?.status()).toBe(404)
      await expect.poll(() => page.locator('h1').innerText()).toBe('There is no publication at this address')
      expect(await faultsOf(page)).toEqual([])
      expect((await page.goto('/HARBOUR-light'))?.status()).toBe(200)
      await expect.poll(() => page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/harbour-light$/)
      expect((await page.goto('/login'))?.status()).toBe(200)
    })
  })
})

describe('the order form', () => {
  it('marks no error during first input, only when a wrong field is left, and clears it with the keystroke that corrects it', async () => {
    await onPage(async ({ page }) => {
      await openStorefront(page)
      const emailError = page.locator('[id="field-email-error"]')
      await fieldOf(page, 'email').focus()
      await fieldOf(page, 'lastName').focus()
      await expect.poll(() => emailError.count()).toBe(0)
      await fieldOf(page, 'email').pressSequentially('zoe@example')
      await expect.poll(() => emailError.count()).toBe(0)
      await fieldOf(page, 'lastName').focus()
      await emailError.getByText('Invalid email address').waitFor()
      await fieldOf(page, 'email').press('End')
      await page.keyboard.type('.t')
      await expect.poll(() => emailError.count()).toBe(1)
      await page.keyboard.type('e')
      await expect.poll(() => emailError.count()).toBe(0)
      // When it becomes invalid again, the field shows no error until it is left.
      await page.keyboard.press('Backspace')
      await expect.poll(() => emailError.count()).toBe(0)

      await fieldOf(page, 'confirmEmail').fill('zoe@example.tent')
      await fieldOf(page, 'mobile').focus()
      await page.locator('[id="field-confirmEmail-error"]').getByText('Emails must match').waitFor()
      await fieldOf(page, 'password').fill('five5')
      await fieldOf(page, 'confirmPassword').fill('five')
      await fieldOf(page, 'mobile').focus()
      await page.locator('[id="field-password-error"]').getByText('Must be at least 6 characters').waitFor()
      await page.locator('[id="field-confirmPassword-error"]').getByText('Passwords must match').waitFor()
    })
  })

  it('is filled in using only the keyboard: the list of missing fields leads to each one, then the button works', async () => {
    await onPage(async ({ page }) => {
      await openStorefront(page)
      await expect.poll(() => payButton(page).innerText()).toBe('complete the form')
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBe('true')
      const values: Record<string, string> = {
        firstName: 'Zoë',
        lastName: 'Quay',
        email: 'keys@example.test',
        confirmEmail: 'keys@example.test',
        password: 'a-long-password',
        confirmPassword: 'a-long-password',
        'billing.addressOne': '1 Quay Street',
        'billing.city': 'Falmouth',
        'billing.postCode': 'TR11 3LH',
        'payment.cardNumber': validCard,
      }
      await payButton(page).focus()
      for (let remaining = Object.keys(values).length; remaining > 0; remaining--) {
        await expect.poll(() => page.locator('#still-needed a').count()).toBe(remaining)
        await page.locator('#still-needed a').first().focus()
        await page.keyboard.press('Enter')
        const name = (await focusedId(page)).replace('field-', '')
        await page.keyboard.type(values[name] ?? '')
      }
      await expect.poll(() => missingFields(page)).toEqual([])
      await expect.poll(() => payButton(page).innerText()).toBe('Pay £54.00')
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBeNull()
      await payButton(page).focus()
      await page.keyboard.press('Enter')
      await arrived(page, '**/ordersuccess?**')
    })
  })

  it('sent too early by Enter shows every message and goes to the first', async () => {
    await onPage(async ({ page }) => {
      await openStorefront(page)
      await fieldOf(page, 'title').press('Enter')
      await page.locator('[id="field-password-error"]').getByText('Required').waitFor()
      await expect.poll(() => focusedId(page)).toBe('field-firstName')
    })
  })

  it('restores typed input after a reload and a visit elsewhere, but no password and no card', async () => {
    await onPage(async ({ page }) => {
      await openStorefront(page)
      await page.getByText('£29.99', { exact: true }).click()
      await fillOrder(page, 'draft@example.test', { card: validCard, fields: { mobile: '07700 900123' } })
      await page.getByText('Offers and news').click()
      await page.getByLabel('No publication offers by post').uncheck()
      const gift = page.getByLabel('It is a gift for somebody else')
      // Ticked and unticked again, in the hidden delivery section of a digital plan.
      for (const _ of ['on', 'off']) await gift.evaluate((box: HTMLInputElement) => box.click())
      await page.reload()
      await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe('draft@example.test')
      await expect.poll(() => gift.isChecked()).toBe(false)
      await page.goto('/login')
      await goBack(page)
      await expect.poll(() => fieldOf(page, 'mobile').inputValue()).toBe('07700 900123')
      await expect.poll(() => fieldOf(page, 'billing.addressOne').inputValue()).toBe('1 Quay Street')
      await expect.poll(() => page.locator('[name="optOuts.pubOffersPost"][type=checkbox]').isChecked()).toBe(false)
      await expect.poll(() => page.locator('input[name=plan]:checked').getAttribute('value')).toBe('1DN29.99')
      await expect.poll(() => missingFields(page)).toEqual(['Password', 'Confirm password', 'Card number'])
      const stored = await page.evaluate(() => JSON.stringify(sessionStorage))
      expect(stored).not.toContain('a-long-password')
      expect(stored).not.toContain('4242')
      // A link that names a plan is newer than the draft.
      await page.goto('/harbour-light?country=GB&plan=1PN')
      await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe('draft@example.test')
      await expect.poll(() => page.locator('input[name=plan]:checked').getAttribute('value')).toMatch(/^1PN/)
      await fillOrder(page, 'draft@example.test', { card: validCard })
      await payButton(page).click()
      await arrived(page, '**/ordersuccess?**')
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('draft@example.test')
    })
  })

  it('offers a log-in for a known email', async () => {
    await onPage(async ({ page }) => {
      await openStorefront(page)
      await fieldOf(page, 'email').fill('reader@demo.masthead.test')
      await fieldOf(page, 'lastName').focus()
      await page.getByText('This email already has an account here.').waitFor()
      await page.getByRole('button', { name: 'Log in under Returning Customers' }).click()
      await page.getByRole('dialog', { name: 'Returning customer' }).waitFor()
      await page.keyboard.press('Escape')
      await fieldOf(page, 'email').fill('nobody@example.test')
      await expect.poll(() => page.getByText('This email already has an account here.').count()).toBe(0)
    })
  })

  it('reports an unreachable shop, keeps everything, and takes the order once', async () => {
    await onPage(async ({ page, problems }) => {
      await openStorefront(page)
      await fillOrder(page, 'offline@example.test', { card: validCard })
      await payWithLostResponse(page, problems)
      await page.reload()
      await fillOrder(page, 'offline@example.test', { card: validCard })
      await payButton(page).click()
      await arrived(page, '**/ordersuccess?**')
      const orders = await server.services.db.query(`SELECT id FROM orders WHERE email = 'offline@example.test'`)
      expect(orders).toHaveLength(1)
    })
  })
})
