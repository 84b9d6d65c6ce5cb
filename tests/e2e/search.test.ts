import { beforeAll, expect, it } from 'vitest'
import { hydrated, shoot } from '#tests/support/browser.ts'
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

it.each([360, 1280])('finds a reader of any title from the top bar by keyboard, at %i pixels', (width) =>
  asRole(
    'publisher',
    async ({ page }) => {
      await page.goto('/dashboard')
      await hydrated(page)
      if (width === 360) await page.getByRole('link', { name: 'Search readers, titles and orders' }).click()
      else await page.keyboard.press('/')
      const box =
        width === 360
          ? page.getByRole('searchbox', { name: 'Name, email, postcode, reference or order number' })
          : page.locator(':focus')
      await box.fill('zzyzx')
      await box.press('Enter')
      await page.getByRole('heading', { name: 'Results for “zzyzx”' }).waitFor()
      // A name of 200 characters does not widen the page or its table.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await shoot(page, `search-${width}`)
      await page.getByRole('link', { name: 'View Ida Zzyzx' }).click()
      await page.getByRole('heading', { name: /Active Reader Ida Zzyzx/ }).waitFor()
      // The summary stands before the form.
      const subscription = await page.getByRole('heading', { name: 'Subscription', exact: true }).first().boundingBox()
      const form = await page.getByRole('heading', { name: 'Edit this reader' }).boundingBox()
      expect(subscription?.y ?? 9999).toBeLessThan(form?.y ?? 0)
      await shoot(page, `reader-summary-${width}`)
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await page.waitForFunction(() => location.hash === '#edit')
    },
    { width },
  ),
)
