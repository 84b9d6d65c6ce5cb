import { beforeAll, expect, it } from 'vitest'
import { faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()
const longName = 'N'.repeat(200)

beforeAll(async () => {
  const { services } = server
  const [{ id: publisherId } = { id: 0 }] = await services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  const { id } = await makePublication(services, { publisherId, publicationName: 'Search Weekly' })
  await makeReader(services, id, { firstName: 'Ida', lastName: 'Zzyzx', fullName: '', email: 'ida@zzyzx.test' })
  await makeReader(services, id, { lastName: `Zzyzx${longName}`, fullName: '' })
})

it('finds a reader of any title from the top bar, on a phone and by keyboard on a desktop', () =>
  asRole(
    'publisher',
    async ({ page }) => {
      await page.goto('/dashboard')
      await page.getByRole('link', { name: 'Search readers, titles and orders' }).click()
      const box = page.getByRole('searchbox', { name: 'Name, email, postcode, reference or order number' })
      await box.fill('zzyzx')
      await box.press('Enter')
      await page.getByRole('heading', { name: 'Results for “zzyzx”' }).waitFor()
      // A name of 200 characters does not widen the page or its table.
      expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
      await takeScreenshot(page, 'search')

      await page.setViewportSize({ width: 1280, height: 900 })
      await page.keyboard.press('/')
      await page.locator(':focus').fill('ida zzyzx')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Results for “ida zzyzx”' }).waitFor()
      await page.getByRole('link', { name: 'View Ida Zzyzx' }).click()
      await page.getByRole('heading', { name: /Active Reader Ida Zzyzx/ }).waitFor()
      const topOf = async (name: string) =>
        (await page.getByRole('heading', { name, exact: true }).first().boundingBox())?.y ?? Number.NaN
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 900 })
        // The summary is before the form.
        expect(await topOf('Subscription'), `at ${width} px`).toBeLessThan(await topOf('Edit this reader'))
        await takeScreenshot(page, `reader-summary-${width}`)
      }
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await page.waitForFunction(() => location.hash === '#edit')
    },
    { width: 360 },
  ))
