import { describe, expect, it } from 'vitest'
import { arrived, followTo } from '#tests/support/browser.ts'
import { makePublication, makeUser } from '#tests/support/factories.ts'
import { expectNoFaults } from '#tests/support/no-faults.ts'
import { mainAlert, pathOf } from '#tests/support/page-facts.ts'
import { fillDetails, laterSteps } from '#tests/support/publication-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asUser } = openVisits()
let publishersMade = 0

/** A publisher whose plan includes this many titles. */
async function newPublisher(titles: number): Promise<{ id: number; email: string }> {
  const email = `press-${++publishersMade}@example.test`
  const { id } = await makeUser(server.services, { email })
  await server.services.db.run(`UPDATE accounts SET number_of_publications = :titles WHERE user_id = :id`, {
    titles,
    id,
  })
  return { id, email }
}

const oldName = 'The Gardener’s Quarterly Companion and Almanack for the North-West'

describe('an existing publication', () => {
  it('is edited from any step; the storefront shows it at once, the handle stays', async () => {
    const { id: publisherId, email } = await newPublisher(3)
    const { id, urlKey } = await makePublication(server.services, {
      publisherId,
      publicationName: oldName,
      coverImage: 'demo/harbour-light-cover.svg',
      color: '#F2C200',
    })
    await asUser(email, async ({ page, context }) => {
      const shop = await context.newPage()
      await shop.goto(`/${urlKey}`)
      await shop.getByRole('heading', { name: oldName }).waitFor()
      await page.goto(`/editpublication/${id}`)
      const handle = page.getByLabel('Handle')
      await expect.poll(() => handle.getAttribute('readonly')).toBe('')
      await expect.poll(() => handle.inputValue()).toMatch(new RegExp(`/${urlKey}$`))
      await expect.poll(() => page.getByText('Unsaved changes', { exact: false }).count()).toBe(0)
      await expectNoFaults(page, 'edit')

      // The bar is shown only while a value differs from the saved one.
      const name = page.getByLabel('Name *')
      await name.fill('New Name')
      await name.blur()
      await page.getByText(/^Unsaved changes, draft saved \d\d:\d\d$/).waitFor()
      await name.fill(oldName)
      await name.blur()
      await page.getByText(/^Unsaved changes, draft saved/).waitFor({ state: 'detached' })
      await name.fill('New Name')
      await name.blur()
      await page.getByText(/^Unsaved changes, draft saved/).waitFor()
      await shop.reload()
      await shop.getByRole('heading', { name: oldName }).waitFor()

      // The page is left and opened again.
      await page.goto('/publications')
      await expectNoFaults(page, 'publications')
      await page.getByRole('link', { name: `Edit Details: ${oldName}` }).click()
      await page.getByText(/You have unsaved changes from \d\d:\d\d/).waitFor()
      await expect.poll(() => page.getByLabel('Name *').inputValue()).toBe('New Name')

      // Another step, first with an invalid value; saving from there includes the first step's input.
      await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Prices' }).click()
      await arrived(page, '**/prices')
      await page.getByLabel('Print, one month, Euro countries, renews automatically').fill('-1')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await mainAlert(page).getByText('Publication not updated').waitFor()
      await page.getByLabel('Print, one month, Euro countries, renews automatically').fill('4.50')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await arrived(page, '**/publications')
      await page.getByText('Publication updated successfully').waitFor()
      await shop.goto(`/${urlKey}?country=IE`)
      await shop.getByRole('heading', { name: 'New Name' }).waitFor()
      await expect.poll(() => shop.getByRole('main').innerText()).toContain('€4.50')

      await page.goto(`/editpublication/${id}/submit`)
      await expectNoFaults(page, 'edit-submit')
      await page.getByRole('switch', { name: /Do you sell back issues\?/ }).check()
      await page.getByText('the storefront sells them').waitFor()
      await page.getByRole('button', { name: 'Confirm and Submit' }).click()
      await arrived(page, '**/publications')
      const [row] = await server.services.db.query<{ sells: unknown }>(
        `SELECT sells_back_issues AS sells FROM publications WHERE id = :id`,
        { id },
      )
      expect(Number(row?.sells)).toBe(1)
    })
  })

  it('is removed after a confirmation, and restored by Undo or from the list of removed titles', async () => {
    const { id: publisherId, email } = await newPublisher(1)
    const { id, urlKey } = await makePublication(server.services, { publisherId, publicationName: 'Short Lived' })
    await asUser(email, async ({ page, context }) => {
      const shop = await context.newPage()
      const status = async () => (await shop.goto(`/${urlKey}`))?.status()
      expect(await status()).toBe(200)
      await page.goto('/publications')
      const remove = page.getByRole('link', { name: 'Remove Publication: Short Lived' })
      await remove.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('alertdialog', { name: "Remove 'Short Lived'?" })
      await dialog.getByText('Are you sure you want to remove this Publication?').waitFor()
      await expect
        .poll(() =>
          dialog.getByRole('button', { name: 'Cancel' }).evaluate((button) => button === document.activeElement),
        )
        .toBe(true)
      await expectNoFaults(page, 'remove')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.waitForFunction(() =>
        document.activeElement?.getAttribute('aria-label')?.startsWith('Remove Publication'),
      )
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Remove publication' }).click()
      await page.getByText('No Publications found for this User').waitFor()
      await page.getByText("Removed 'Short Lived'").waitFor()
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
      expect(await status()).toBe(404)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText("Restored 'Short Lived'").waitFor()
      expect(await status()).toBe(200)

      // A later restore starts from the list, and is refused while another title uses up the quota.
      await server.services.db.run(`UPDATE publications SET removed_at = :now WHERE id = :id`, {
        now: server.services.now(),
        id,
      })
      const replacement = await makePublication(server.services, { publisherId, publicationName: 'In Its Place' })
      await page.goto('/publications')
      await expectNoFaults(page, 'publications-removed')
      await page.getByRole('button', { name: 'Restore Short Lived' }).click()
      await page.getByText('Publication Quota Met').waitFor()
      await page
        .getByText('You have 1 of 1 titles. Change your plan in My Account, or contact support, to add more.')
        .waitFor()
      await server.services.db.run(`DELETE FROM publications WHERE id = :id`, { id: replacement.id })
      await page.goto('/publications')
      await page.getByRole('button', { name: 'Restore Short Lived' }).click()
      await page.getByRole('heading', { name: 'Short Lived', exact: true }).waitFor()
    })
  })
})

describe('without JavaScript', () => {
  it('a publication is added, edited, removed and restored', async () => {
    const { email } = await newPublisher(1)
    await asUser(
      email,
      async ({ page }) => {
        await page.goto('/publications')
        await page.getByRole('link', { name: 'Add publication' }).first().click()
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await mainAlert(page).getByRole('link', { name: 'Name: enter a value' }).waitFor()
        await fillDetails(page, 'Plain')
        await page.getByLabel('Handle').fill('plain-paper')
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await expect.poll(() => pathOf(page)).toBe('/addpublication/prices')
        await page.getByLabel('Print, one year, UK, one-off').fill('12')
        await page.getByRole('button', { name: 'Previous' }).click()
        await expect.poll(() => pathOf(page)).toBe('/addpublication/images')
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await expect.poll(() => page.getByLabel('Print, one year, UK, one-off').inputValue()).toBe('12')
        // A free product hides its prices by CSS alone.
        await page.getByRole('switch', { name: /the printed issue/ }).check()
        await expect.poll(() => page.getByLabel('Print, one year, UK, one-off').isVisible()).toBe(false)
        await page.getByRole('switch', { name: /the printed issue/ }).uncheck()
        for (const _ of laterSteps.slice(2)) await page.getByRole('button', { name: 'Next', exact: true }).click()
        await page.getByRole('button', { name: 'Confirm and Submit' }).click()
        await expect.poll(() => pathOf(page)).toBe('/publications')
        await page.getByRole('status').getByText('New Publication added').waitFor()

        await page.getByRole('link', { name: 'Edit Details: Plain' }).click()
        await page.getByLabel('Name *').fill('Plainer')
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await page.getByRole('button', { name: 'Save changes' }).click()
        await page.getByRole('heading', { name: 'Plainer' }).waitFor()

        await page.getByRole('link', { name: 'Remove Publication: Plainer' }).click()
        await page.getByText('Are you sure you want to remove this Publication?').waitFor()
        await page.getByRole('button', { name: 'Remove publication' }).click()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('heading', { name: 'Plainer' }).waitFor()
      },
      { javaScriptEnabled: false },
    )
  })
})

describe('a new publication', () => {
  it('has no faults in any step, nor after a refusal', async () => {
    const { email } = await newPublisher(3)
    await asUser(email, async ({ page }) => {
      await page.goto('/addpublication')
      await expectNoFaults(page, 'first step')
      for (const step of laterSteps) {
        await followTo(page, `/addpublication/${step}`)
        await expectNoFaults(page, step)
      }
      await followTo(page, '/addpublication')
      await page.getByLabel('Handle').fill('two words')
      await page.getByRole('button', { name: 'Next', exact: true }).click()
      await mainAlert(page).waitFor()
      await expectNoFaults(page, 'refused')
    })
  })
})
