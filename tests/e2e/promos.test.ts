import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { arrived, faultsOf, type PageOptions, type WatchedPage } from '#tests/support/browser.ts'
import { makePromo } from '#tests/support/factories.ts'
import { expectNoFaults } from '#tests/support/no-faults.ts'
import { fieldOf, focusedId, focusedRole, focusedText, mainText } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole, fetchAs } = openVisits()
let publicationId: number
/** Another of the publisher's titles, whose codes the test creates. */
let quietId: number

beforeAll(async () => {
  const { db } = server.services
  const [shop] = await db.query<{ id: number; publisher_id: number }>(
    `SELECT id, publisher_id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = shop?.id ?? 0
  const [quiet] = await db.query<{ id: number }>(
    `SELECT id FROM publications WHERE publisher_id = :publisherId AND id <> :publicationId ORDER BY id LIMIT 1`,
    { publisherId: shop?.publisher_id ?? 0, publicationId },
  )
  quietId = quiet?.id ?? 0
})

beforeEach(async () => {
  await server.services.db.run(`UPDATE promo_codes SET removed_at = :now WHERE publication_id = :quietId`, {
    now: server.services.now(),
    quietId,
  })
})

const asPublisher = (work: (visit: WatchedPage) => Promise<void>, options: Partial<PageOptions> = {}) =>
  asRole('publisher', work, options)

const description = (page: Page) => page.locator('section', { hasText: 'What this code does' }).getByRole('status')
const cardOf = (page: Page, code: string) =>
  page.locator('main li').filter({ has: page.getByText(code, { exact: true }) })
/** Wide enough to fill a card. */
const longCode = 'A-VERY-LONG-CODE-THAT-FILLS-THE-WHOLE-CARD-AND-THEN-SOME-60'
const futureDay = () => {
  const [year, month, day] = new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 10).split('-')
  return `${day}-${month}-${year}`
}

describe('the promo codes of a publication', () => {
  it('are empty at first, describe a code while it is typed, and show it as a card once it is added', () =>
    asPublisher(async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(`/promocodes/${quietId}`)
      await page.getByText('No Promo Codes found for this Publication').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Add promo code' }).first().click()
      await arrived(page, `**/addpromo/${quietId}`)
      await page.getByLabel('Bundle, three months').waitFor()
      await expect.poll(() => page.locator('main input[type=checkbox]:checked').count()).toBe(9)
      await expectNoFaults(page, 'new-promo', { alsoAt: [360, 320] })
      await expect.poll(() => description(page).innerText()).toBe('To see what this code does, fill in the discount.')
      await fieldOf(page, 'name').fill('Spring campaign')
      await fieldOf(page, 'code').fill('Spring-25')
      await fieldOf(page, 'discountPercent').fill('25')
      await page.getByLabel('Bundle, three months').uncheck()
      await page.getByLabel('Bundle, six months').uncheck()
      await fieldOf(page, 'endsOn').fill('31 Dec 2099')
      await fieldOf(page, 'uses').fill('50')
      await expect
        .poll(() => description(page).innerText())
        .toBe('25% off print and digital, and bundle (one year), from today, until 31-12-2099, at most 50 uses.')
      await page.getByRole('button', { name: 'Add Promo Code' }).click()
      await arrived(page, `**/promocodes/${quietId}`)
      await page.getByText('New Promo Code added').waitFor()
      const card = cardOf(page, 'Spring-25')
      for (const text of ['Spring campaign', 'Live', '25%', '0 of 50', '31-12-2099'])
        await card.getByText(text, { exact: true }).waitFor()
      await card.getByRole('button', { name: 'Copy the link of Spring-25' }).click()
      await card.getByText('Copied').waitFor({ state: 'attached' })
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/[\w-]+\?promo=Spring-25$/)
      await expect
        .poll(() => page.getByRole('navigation', { name: 'Breadcrumb' }).innerText())
        .toMatch(/Publications[\s\S]+Promo codes/)
    }))

  it('show the state of each', async () => {
    const { services } = server
    await makePromo(services, quietId, 'NOW')
    await makePromo(services, quietId, 'SOON', { startsOn: futureDay() })
    await makePromo(services, quietId, 'GONE', { uses: 3 })
    await makePromo(services, quietId, 'OVER')
    await makePromo(services, quietId, longCode, { name: 'W'.repeat(120) })
    await services.db.run(`UPDATE promo_codes SET used = 3 WHERE code = 'GONE'`)
    await services.db.run(`UPDATE promo_codes SET starts_on = '2020-01-01', ends_on = '2020-02-01' WHERE code = 'OVER'`)
    await asPublisher(async ({ page }) => {
      await page.goto(`/promocodes/${quietId}`)
      const states = { NOW: 'Live', SOON: 'Scheduled', GONE: 'Used up', OVER: 'Expired' }
      for (const [code, state] of Object.entries(states)) {
        const card = cardOf(page, code)
        await card.getByText(state, { exact: true }).waitFor()
        expect([code, await card.getByText('Link that applies the code').count()]).toEqual([
          code,
          state === 'Live' || state === 'Scheduled' ? 1 : 0,
        ])
      }
      await cardOf(page, 'NOW').getByText('0, Unlimited').waitFor()
      await cardOf(page, 'GONE').getByText('3 of 3').waitFor()
      await expectNoFaults(page, 'promos', { alsoAt: [360, 320] })
    })
  })

  it('are listed a page at a time, and searched by name and code', async () => {
    for (let n = 1; n <= 27; n++) await makePromo(server.services, quietId, `CODE${n}`)
    const codesOn = async (query: string) => {
      const html = await (await fetchAs('publisher', `/promocodes/${quietId}${query}`)).text()
      return [...html.matchAll(/aria-label="Edit Promo Code ([^"]+)"/g)].map(([, code]) => code)
    }
    expect(await codesOn('')).toHaveLength(25)
    expect(await codesOn('?page=2')).toEqual(['CODE2', 'CODE1'])
    expect(await codesOn('?page=9')).toEqual(['CODE2', 'CODE1'])
    expect(await codesOn('?q=code27')).toEqual(['CODE27'])
  })

  it('report errors of a form in place, in the summary, at the fields and in the title, without losing an entry', () =>
    asPublisher(async ({ page }) => {
      await makePromo(server.services, quietId, 'TAKEN')
      await page.goto(`/addpromo/${quietId}`)
      await fieldOf(page, 'code').fill('taken')
      await fieldOf(page, 'discountPercent').fill('101')
      await fieldOf(page, 'endsOn').fill('1 Feb 2020')
      await page.getByLabel('Print, one year', { exact: true }).uncheck()
      await page.keyboard.press('Enter')
      const summary = page.locator('main [role=alert]')
      await summary.getByText('Promo Code not added').waitFor()
      await summary.getByText('Please fix the errors and retry').waitFor()
      // Shown only once: a message at the foot would cover the button.
      await expect.poll(() => page.getByText('Promo Code not added').count()).toBe(1)
      await expect.poll(() => focusedRole(page)).toBe('alert')
      await expect.poll(() => page.title()).toBe('Error: Add promo code – Masthead')
      for (const text of [
        'Name: enter a value',
        'This code is already in use for this publication. Choose another one.',
        'Discount: Must be from 1 to 100',
      ])
        await summary.getByText(text).waitFor()
      await expect.poll(() => fieldOf(page, 'endsOn').inputValue()).toBe('1 Feb 2020')
      await expect.poll(() => page.getByLabel('Print, one year', { exact: true }).isChecked()).toBe(false)
      expect(await faultsOf(page)).toEqual([])
      await summary.getByText('Name: enter a value').click()
      await expect.poll(() => focusedId(page)).toBe('field-name')
      await page.keyboard.type('Now with a name')
      await expect.poll(() => page.locator('[id="field-name-error"]').count()).toBe(0)
    }))

  it('can be changed, except for the start date, and not to fewer uses than were made', async () => {
    const id = await makePromo(server.services, quietId, longCode, { uses: 50, name: 'W'.repeat(120) })
    await server.services.db.run(`UPDATE promo_codes SET used = 12 WHERE id = :id`, { id })
    await asPublisher(async ({ page }) => {
      await page.goto(`/promocodes/${quietId}`)
      await cardOf(page, longCode).getByText('12 of 50', { exact: true }).waitFor()
      await page.getByRole('link', { name: `Edit Promo Code ${longCode}` }).click()
      await arrived(page, `**/editpromo/${id}`)
      await expect.poll(() => fieldOf(page, 'startsOn').getAttribute('readonly')).not.toBeNull()
      await page.getByText('For another start date, create a new code').waitFor()
      await expectNoFaults(page, 'edit-promo', { alsoAt: [360, 320] })
      await fieldOf(page, 'uses').fill('11')
      await page.getByRole('button', { name: 'Update Promo Code' }).click()
      const summary = page.locator('main [role=alert]')
      await summary.getByText('Promo Code not updated').waitFor()
      await summary.getByText('Uses: Must be 0 (unlimited) or at least 12').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await fieldOf(page, 'uses').fill('12')
      await page.getByRole('button', { name: 'Update Promo Code' }).click()
      await arrived(page, `**/promocodes/${quietId}`)
      await page.getByText('Promo Code updated').waitFor()
      await cardOf(page, longCode).getByText('Used up').waitFor()
    })
  })

  it('are deleted by keyboard after a confirmation, and the focus moves to the heading', async () => {
    await makePromo(server.services, quietId, 'STAYS')
    await makePromo(server.services, quietId, longCode)
    await asPublisher(async ({ page }) => {
      await page.goto(`/promocodes/${quietId}?size=50`)
      const opener = page.getByRole('button', { name: `Delete Promo Code ${longCode}` })
      const dialog = page.getByRole('alertdialog')
      await opener.focus()
      await page.keyboard.press('Enter')
      await dialog.getByText(`Delete the promo code “${longCode}”?`).waitFor()
      await dialog.getByText('This cannot be undone.').waitFor()
      await expect.poll(() => focusedText(page)).toBe('Cancel')
      await expectNoFaults(page, 'delete-promo', { alsoAt: [360, 320] })
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByText('Promo Code deleted').waitFor()
      await dialog.waitFor({ state: 'hidden' })
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
      await expect.poll(() => cardOf(page, longCode).count()).toBe(0)
      await expect.poll(() => cardOf(page, 'STAYS').count()).toBe(1)
      await expect.poll(() => page.url()).toMatch(/\?size=50$/)
    })
  })

  it('work without JavaScript: adding, a refusal, the description, changing, deleting', () =>
    asPublisher(
      async ({ page }) => {
        await page.goto(`/addpromo/${quietId}`)
        await fieldOf(page, 'discountPercent').fill('10')
        await fieldOf(page, 'endsOn').fill('1/2/2099')
        await page.getByLabel('Digital, one year', { exact: true }).uncheck()
        await page.getByRole('button', { name: 'Preview' }).click()
        await expect
          .poll(() => description(page).innerText())
          .toBe(
            '10% off print and bundle, and digital (six months and three months), from today, until 01-02-2099, unlimited uses.',
          )
        await page.getByRole('button', { name: 'Add Promo Code' }).click()
        await expect.poll(() => page.title()).toBe('Error: Add promo code – Masthead')
        await expect.poll(() => page.locator('main [role=alert]').innerText()).toContain('Promo Code not added')
        await expect.poll(() => page.getByLabel('Digital, one year', { exact: true }).isChecked()).toBe(false)
        await fieldOf(page, 'name').fill('No script')
        await fieldOf(page, 'code').fill('PLAIN')
        await page.getByRole('button', { name: 'Add Promo Code' }).click()
        await arrived(page, `**/promocodes/${quietId}`)
        await expect.poll(() => page.locator('body').innerText()).toContain('New Promo Code added')
        await page.getByRole('link', { name: 'Edit Promo Code PLAIN' }).click()
        await fieldOf(page, 'discountPercent').fill('15')
        await page.getByRole('button', { name: 'Update Promo Code' }).click()
        await cardOf(page, 'PLAIN').getByText('15%').waitFor()
        await page.getByRole('button', { name: 'Delete Promo Code PLAIN' }).click()
        await page.getByRole('heading', { name: 'Delete the promo code “PLAIN”?' }).waitFor()
        await page.getByRole('button', { name: 'Delete Promo Code', exact: true }).click()
        await expect.poll(() => page.locator('body').innerText()).toContain('Promo Code deleted')
        await expect.poll(() => mainText(page)).toContain('No Promo Codes found for this Publication')
      },
      { javaScriptEnabled: false },
    ))
})
