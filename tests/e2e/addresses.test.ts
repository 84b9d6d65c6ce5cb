import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, followTo } from '#tests/support/browser.ts'
import { deferred } from '#tests/support/deferred.ts'
import { fieldOf, focusedId } from '#tests/support/page-facts.ts'
import { chooseCountry, payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits()

/** The button of the first address block, which is the billing address. */
const findButton = (page: Page): Locator => page.getByRole('button', { name: 'Find address' }).first()
const foundAddresses = (page: Page, prefix = 'billing'): Locator => fieldOf(page, `${prefix}.postCode.found`)
const valuesOf = async (page: Page, prefix = 'billing') =>
  Object.fromEntries(
    await Promise.all(
      ['companyName', 'addressOne', 'addressTwo', 'addressThree', 'city', 'postCode'].map(
        async (name) => [name, await fieldOf(page, `${prefix}.${name}`).inputValue()] as const,
      ),
    ),
  )

async function openForm(page: Page, country = 'GB'): Promise<void> {
  await page.goto(`/harbour-light/issues?country=${country}`)
}

describe('an address in Great Britain', () => {
  it.each(['sw1a1aa', ' SW1A 1AA. ', 'SW1A-1AA'])(
    'is found by "%s", chosen, filled in and still editable',
    async (typed) => {
      await onPage(async ({ page }) => {
        await openForm(page)
        await expect.poll(() => fieldOf(page, 'billing.addressOne').isVisible()).toBe(false)
        await fieldOf(page, 'billing.postCode').fill(typed)
        await findButton(page).click()
        await foundAddresses(page).waitFor()
        await expect
          .poll(() => foundAddresses(page).locator('option').allInnerTexts())
          .toEqual([
            'Choose an address',
            'The Gatehouse, 1 Demo Mall, London',
            'Flat 2, Palace View, 3 Demo Mall, London',
            'Mall Catering Ltd, 5 Demo Mall, London',
          ])
        await foundAddresses(page).selectOption({ label: 'Mall Catering Ltd, 5 Demo Mall, London' })
        await fieldOf(page, 'billing.companyName').waitFor()
        await expect
          .poll(() => valuesOf(page))
          .toEqual({
            companyName: 'Mall Catering Ltd',
            addressOne: '5 Demo Mall',
            addressTwo: '',
            addressThree: '',
            city: 'London',
            postCode: 'SW1A 1AA',
          })
        await fieldOf(page, 'billing.addressOne').fill('5a Demo Mall')
        await foundAddresses(page).selectOption({ label: 'Flat 2, Palace View, 3 Demo Mall, London' })
        await expect
          .poll(() => valuesOf(page))
          .toEqual({
            companyName: '',
            addressOne: 'Flat 2',
            addressTwo: 'Palace View',
            addressThree: '3 Demo Mall',
            city: 'London',
            postCode: 'SW1A 1AA',
          })
      })
    },
  )

  it('that is looked up again has no selection, so that the same address fills the boxes in again', async () => {
    await onPage(async ({ page }) => {
      await openForm(page)
      await fieldOf(page, 'billing.postCode').fill('SW1A 1AA')
      await findButton(page).click()
      await foundAddresses(page).selectOption({ label: 'Mall Catering Ltd, 5 Demo Mall, London' })
      await fieldOf(page, 'billing.addressOne').fill('5a Demo Mall')
      await findButton(page).click()
      await expect.poll(() => foundAddresses(page).inputValue()).toBe('')
      await foundAddresses(page).selectOption({ label: 'Mall Catering Ltd, 5 Demo Mall, London' })
      await expect.poll(() => fieldOf(page, 'billing.addressOne').inputValue()).toBe('5 Demo Mall')
    })
  })

  it('is found using only the keyboard: Enter searches without submitting, and the list gets the focus', async () => {
    await onPage(async ({ page }) => {
      await openForm(page)
      await fieldOf(page, 'billing.postCode').focus()
      await page.keyboard.type('m11ae')
      await page.keyboard.press('Enter')
      await expect.poll(() => focusedId(page)).toBe('field-billing.postCode.found')
      await expect.poll(() => page.getByRole('status').getByText('3 addresses found').count()).toBe(1)
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => fieldOf(page, 'billing.city').inputValue()).toBe('Manchester')
      await expect.poll(() => new URL(page.url()).pathname).toBe('/harbour-light/issues')
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    })
  })

  it('that is not found shows Error and the reason, and opens the boxes; nothing typed is lost', async () => {
    await onPage(async ({ page }) => {
      await openForm(page)
      await page.getByText('Enter address manually').first().click()
      await fieldOf(page, 'billing.city').fill('Lerwick')
      await page.getByText('Enter address manually').first().click()
      for (const [typed, reason] of [
        ['ze1 0aa', 'No addresses were found for ZE1 0AA. Please enter the address manually.'],
        ['90210', 'Enter a UK postcode, such as SW1A 1AA'],
        ['', 'Enter a UK postcode, such as SW1A 1AA'],
      ] as const) {
        await fieldOf(page, 'billing.postCode').fill(typed)
        await findButton(page).click()
        await page.locator('[id="field-billing.postCode.found-error"]', { hasText: reason }).waitFor()
        await expect.poll(() => foundAddresses(page).locator('option').allInnerTexts()).toEqual(['Error'])
        await expect.poll(() => fieldOf(page, 'billing.postCode').inputValue()).toBe(typed)
        await expect.poll(() => fieldOf(page, 'billing.addressOne').isVisible()).toBe(true)
        await expect.poll(() => fieldOf(page, 'billing.city').inputValue()).toBe('Lerwick')
      }
      // A valid postcode after that works as usual.
      await fieldOf(page, 'billing.postCode').fill('EC1A 1BB')
      await findButton(page).click()
      await foundAddresses(page).locator('option', { hasText: 'Choose an address' }).waitFor({ state: 'attached' })
      await expect.poll(() => page.locator('[id="field-billing.postCode.found-error"]').count()).toBe(0)
    })
  })

  it('can be entered by hand instead', async () => {
    await onPage(async ({ page }) => {
      await openForm(page)
      const byHand = page.getByText('Enter address manually').first()
      await expect.poll(() => byHand.isVisible()).toBe(true)
      await byHand.focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await expect.poll(() => focusedId(page)).toBe('field-billing.addressOne')
      await page.keyboard.type('1 Quay Street')
      await expect.poll(() => byHand.isVisible()).toBe(true)
    })
  })

  it('is looked up separately for the delivery', async () => {
    await onPage(async ({ page }) => {
      await openForm(page)
      await page.locator('[name=isDeliveredToBilling][type=checkbox]').uncheck()
      await fieldOf(page, 'shipping.postCode').fill('TR11 3LH')
      await page.getByRole('button', { name: 'Find address' }).last().click()
      await foundAddresses(page, 'shipping').selectOption({ label: '2 Quay Street, Falmouth, Cornwall' })
      await expect
        .poll(() => valuesOf(page, 'shipping'))
        .toMatchObject({ addressOne: '2 Quay Street', city: 'Falmouth' })
      await expect.poll(() => valuesOf(page)).toMatchObject({ addressOne: '', city: '' })
    })
  })

  it('is what the order is posted to', async () => {
    await onPage(async ({ page }) => {
      await openForm(page)
      await page.getByRole('checkbox').and(page.locator('[name=backIssues]:enabled')).first().check()
      const email = 'found@example.test'
      const values = { firstName: 'Zoë', lastName: 'Found', email, confirmEmail: email, password: 'a-long-password' }
      for (const [name, value] of Object.entries(values)) await fieldOf(page, name).fill(value)
      const confirmPassword = fieldOf(page, 'confirmPassword')
      if ((await confirmPassword.count()) > 0) await confirmPassword.fill('a-long-password')
      await fieldOf(page, 'billing.postCode').fill('TR113LH')
      await findButton(page).click()
      await foundAddresses(page).selectOption({ label: 'Quayside Chandlers Ltd, 4 Quay Street, Falmouth, Cornwall' })
      await page.locator('[name="payment.cardNumber"]').fill('4242 4242 4242 4242')
      await payButton(page).click()
      await arrived(page, /\/ordersuccess/)
      const [order] = await server.services.db.query<{ billing: string }>(
        `SELECT billing FROM orders WHERE email = 'found@example.test'`,
      )
      expect(JSON.parse(String(order?.billing))).toMatchObject({
        companyName: 'Quayside Chandlers Ltd',
        addressOne: '4 Quay Street',
        city: 'Falmouth',
        postCode: 'TR11 3LH',
      })
    })
  })

  it('has no faults, even on a phone: collapsed, found, failed', async () => {
    await onPage(async ({ page }) => {
      const expectNoFaults = async () => expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      await openForm(page)
      await expectNoFaults()
      await fieldOf(page, 'billing.postCode').fill('M1 1AE')
      await findButton(page).click()
      await foundAddresses(page).selectOption({ index: 1 })
      await fieldOf(page, 'billing.companyName').waitFor()
      await expectNoFaults()
      await fieldOf(page, 'billing.postCode').fill('nowhere')
      await findButton(page).click()
      await page.locator('[id="field-billing.postCode.found-error"]').waitFor()
      await expectNoFaults()
    })
  })

  it('has all its boxes, and no dead button, without JavaScript', async () => {
    await onPage(
      async ({ page }) => {
        await page.goto('/harbour-light/issues?country=GB')
        for (const name of ['addressOne', 'city', 'postCode'])
          expect([name, await fieldOf(page, `billing.${name}`).isVisible()]).toEqual([name, true])
        await expect.poll(() => page.getByRole('button', { name: 'Find address' }).count()).toBe(0)
        await fieldOf(page, 'billing.addressOne').fill('1 Quay Street')
      },
      { javaScriptEnabled: false },
    )
  })
})

describe('an address elsewhere', () => {
  it('shows its boxes at once, with the labels of its country', () =>
    onPage(async ({ page }) => {
      await openForm(page, 'US')
      await expectBoxes(page, 'ZIP code', 'State')
      for (const [country, postCode, state] of [
        ['CA', 'Postal code', 'Province'],
        ['AU', 'Postcode', 'State'],
        ['NO', 'Postcode', null],
      ] as const) {
        await followTo(page, `/harbour-light/issues?country=${country}`)
        await expectBoxes(page, postCode, state)
      }
    }))

  async function expectBoxes(page: Page, postCode: string, state: string | null): Promise<void> {
    await expect.poll(() => fieldOf(page, 'billing.addressOne').isVisible()).toBe(true)
    await expect.poll(() => findButton(page).count()).toBe(0)
    await expect.poll(() => page.locator('label[for="field-billing.postCode"]').innerText()).toContain(postCode)
    const stateLabel = page.locator('label[for="field-billing.state"]')
    await expect.poll(() => stateLabel.count()).toBe(state ? 1 : 0)
    // Without a star: back issues need only the first line and the postcode.
    if (state) await expect.poll(() => stateLabel.innerText()).toBe(state)
    await expect.poll(() => fieldOf(page, 'billing.postCode').getAttribute('autocomplete')).toBe('billing postal-code')
  }

  it('keeps its entries when the country is changed', async () => {
    await onPage(async ({ page }) => {
      await openForm(page)
      await page.getByText('Enter address manually').first().click()
      await fieldOf(page, 'billing.addressOne').fill('1 Quay Street')
      await fieldOf(page, 'billing.postCode').fill('TR11 3LH')
      await chooseCountry(page, 'usa')
      await fieldOf(page, 'billing.state').waitFor()
      await expect.poll(() => fieldOf(page, 'billing.addressOne').inputValue()).toBe('1 Quay Street')
      await expect.poll(() => fieldOf(page, 'billing.postCode').inputValue()).toBe('TR11 3LH')
      await chooseCountry(page, 'uk')
      await findButton(page).waitFor()
      await expect.poll(() => fieldOf(page, 'billing.addressOne').inputValue()).toBe('1 Quay Street')
      await expect.poll(() => fieldOf(page, 'billing.addressOne').isVisible()).toBe(true)
    })
  })

  it('leaves whoever is typing in a field when the page of the new country arrives', async () => {
    await onPage(async ({ page }) => {
      await openForm(page)
      /** Chooses a country, and types in a field before and after its page arrives. */
      const typeAcross = async (name: string, country: string, isShown: Locator) => {
        const asked = deferred()
        const released = deferred()
        await page.route(/\.data\?/, async (route) => {
          asked.resolve()
          await released.promise
          await route.continue()
        })
        await chooseCountry(page, country)
        await asked.promise
        await fieldOf(page, name).focus()
        await page.keyboard.type('1 Quay')
        released.resolve()
        await isShown.waitFor()
        await page.keyboard.type(' Street')
        expect([await focusedId(page), await fieldOf(page, name).inputValue()]).toEqual([
          `field-${name}`,
          '1 Quay Street',
        ])
        await fieldOf(page, name).fill('')
        await page.unrouteAll()
      }
      await page.getByText('Enter address manually').first().click()
      await typeAcross('billing.addressOne', 'usa', fieldOf(page, 'billing.state'))
      await typeAcross('billing.city', 'uk', findButton(page))
      await typeAcross('billing.postCode', 'usa', fieldOf(page, 'billing.state'))
      await typeAcross('billing.postCode', 'uk', findButton(page))
    })
  })
})

describe('the address look-up of a storefront', () => {
  const lookUp = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers })

  it('returns JSON, a refusal in words, and is never cached', async () => {
    const found = await lookUp('/Harbour-Light/addresses?postcode=cr26xh')
    expect([found.status, found.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await found.json()).toMatchObject({
      postCode: 'CR2 6XH',
      addresses: expect.arrayContaining([expect.any(String)]),
    })
    for (const [path, status, message] of [
      ['/harbour-light/addresses?postcode=nonsense', 422, 'Enter a UK postcode, such as SW1A 1AA'],
      ['/harbour-light/addresses', 422, 'Required'],
      [
        '/harbour-light/addresses?postcode=ZE10AA',
        404,
        'No addresses were found for ZE1 0AA. Please enter the address manually.',
      ],
      ['/no-such-title/addresses?postcode=SW1A1AA', 404, 'This publication was not found'],
    ] as const) {
      const refused = await lookUp(path)
      expect([path, refused.status, await refused.json()]).toEqual([
        path,
        status,
        { message, problem: expect.anything() },
      ])
    }
  })

  it('is limited, and says when to try again', async () => {
    for (let n = 0; n < 30; n++) await lookUp('/harbour-light/addresses?postcode=SW1A1AA')
    const refused = await lookUp('/harbour-light/addresses?postcode=SW1A1AA')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toEqual({
      message: expect.stringMatching(/^Too many attempts/),
      problem: expect.anything(),
    })
  })
})
