import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, hydrated } from '#tests/support/browser.ts'
import { expectNoFaults } from '#tests/support/no-faults.ts'
import { fieldOf, focusedId, focusedRole, focusedText, mainText } from '#tests/support/page-facts.ts'
import { pngOf } from '#tests/support/pictures.ts'
import { issueCard } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })

async function idOf(volume: string): Promise<number> {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM back_issues WHERE volume = :volume AND removed_at IS NULL`,
    { volume },
  )
  return row?.id ?? 0
}

async function coverOf(id: number): Promise<string | null | undefined> {
  const [row] = await server.services.db.query<{ cover_image: string | null }>(
    `SELECT cover_image FROM back_issues WHERE id = :id`,
    { id },
  )
  return row?.cover_image
}

describe('the back issue screens', () => {
  it('add an issue with its cover, report all errors at once without losing an entry, change it and remove it', async () => {
    await asRole('pubadmin', async ({ page }) => {
      await page.goto('/backIssues')
      await expectNoFaults(page, 'list')
      await page.getByRole('link', { name: 'Add back issue' }).click()
      await page.getByRole('heading', { name: 'Back Issue Details' }).waitFor()
      await expectNoFaults(page, 'new')
      await fieldOf(page, 'publicationId').selectOption({ label: 'Harbour Light' })
      await fieldOf(page, 'description').fill('x'.repeat(499))
      await page.getByText('499 of 500 characters').waitFor()
      await fieldOf(page, 'stock').fill('many')
      await fieldOf(page, 'price').fill('6,50')
      await fieldOf(page, 'priceEu').fill('0')
      await fieldOf(page, 'cover').setInputFiles({
        name: 'c.png',
        mimeType: 'image/png',
        buffer: await pngOf(600, 800),
      })
      await page.getByRole('button', { name: 'Add Back Issue' }).click()
      const summary = page.getByRole('alert')
      for (const text of [
        'Volume: enter a value',
        'Stock: Must be a number',
        'UK, price: Must be an amount such as 29.99',
        'Euro countries, price: Leave blank where it is not for sale',
      ])
        await summary.getByText(text).waitFor()
      await expect.poll(() => focusedRole(page)).toBe('alert')
      await expect.poll(() => page.title()).toMatch(/^Error: /)
      await expectNoFaults(page, 'refused')
      await summary.getByText('Stock: Must be a number').click()
      await expect.poll(() => focusedId(page)).toBe('field-stock')
      await expect.poll(() => fieldOf(page, 'description').inputValue()).toHaveLength(499)
      await fieldOf(page, 'volume').fill('Storm special')
      await fieldOf(page, 'stock').fill('2')
      await fieldOf(page, 'price').fill('£6.50')
      await fieldOf(page, 'postage').fill('1.5')
      await fieldOf(page, 'priceEu').fill('')
      await page.getByRole('button', { name: 'Add Back Issue' }).click()
      await page.getByText('New Back Issue added').waitFor()
      const added = issueCard(page, 'Storm special')
      await expect
        .poll(() => added.innerText())
        .toMatch(/Stock: 2 copies left[\s\S]*0 sold[\s\S]*£6\.50 \+ £1\.50 postage[\s\S]*Not sold/)
      // The cover that was chosen before the errors were corrected.
      await expect.poll(() => added.locator('img').getAttribute('src')).toMatch(/^\/images\//)

      // The old spelling of the address works as well.
      const id = await idOf('Storm special')
      for (const address of [`/editbackissue/${id}`, `/EditbackIssue/${id}`]) {
        expect((await page.goto(address))?.status()).toBe(200)
        await expect.poll(() => fieldOf(page, 'volume').inputValue()).toBe('Storm special')
      }
      await hydrated(page)
      await expectNoFaults(page, 'edit')
      await expect.poll(() => fieldOf(page, 'price').inputValue()).toBe('6.50')
      await server.services.db.run(`UPDATE back_issues SET stock = 1 WHERE id = :id`, { id })
      // The next attempt uses the new stock as soon as the refusal is shown, whatever is still loading.
      await page.route(/editbackissue.*(\.data|_data=)/i, (route) =>
        route.request().method() === 'GET' ? undefined : route.continue(),
      )
      // A refusal that is not about the stock does not make the stock of the form look current.
      await fieldOf(page, 'price').fill('cheap')
      await page.getByRole('button', { name: 'Update Back Issue' }).click()
      await page.getByRole('link', { name: /, price: / }).waitFor()
      expect(await page.locator('[name="stockBefore"]').inputValue()).toBe('2')
      await fieldOf(page, 'price').fill('6.50')
      await fieldOf(page, 'stock').fill('5')
      await page.getByRole('button', { name: 'Update Back Issue' }).click()
      await page.getByRole('alert').getByText('It is now 1 copy').waitFor()
      await page.getByRole('button', { name: 'Update Back Issue' }).click()
      await page.getByText('The Back Issue has updated').waitFor()
      await expect.poll(() => issueCard(page, 'Storm special').innerText()).toContain('Stock: 5 copies left')

      await issueCard(page, 'Storm special').getByRole('link', { name: 'Change Cover Image' }).click()
      await arrived(page, '**/cover')
      await expectNoFaults(page, 'cover')
      await fieldOf(page, 'image').setInputFiles({
        name: 'd.png',
        mimeType: 'image/png',
        buffer: await pngOf(300, 400),
      })
      const coverBefore = await coverOf(id)
      await page.getByRole('button', { name: 'Save cover image' }).click()
      await page.getByText('Back Issue Image updated').waitFor()
      expect(await coverOf(id)).not.toBe(coverBefore)

      const removeLink = issueCard(page, 'Storm special').getByRole('link', { name: 'Remove Back Issue' })
      await removeLink.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('Are you sure you want to remove this Back Issue?').waitFor()
      await expect.poll(() => focusedText(page)).toBe('Cancel')
      await page.keyboard.press('Escape')
      await expect.poll(() => focusedText(page)).toContain('Remove Back Issue')
      await removeLink.click()
      await dialog.getByRole('button', { name: 'Remove back issue' }).click()
      await page.getByText('The Back Issue has deleted').waitFor()
      await expect.poll(() => issueCard(page, 'Storm special').count()).toBe(0)
    })
  })

  it('work without JavaScript: adding, an error, removing with the confirmation on the page', async () => {
    await asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/addbackIssue')
        await fieldOf(page, 'publicationId').selectOption({ label: 'Harbour Light' })
        await page.getByRole('button', { name: 'Add Back Issue' }).click()
        await expect.poll(() => mainText(page)).toContain('Volume: enter a value')
        await fieldOf(page, 'volume').fill('Plain paper')
        await page.getByRole('button', { name: 'Add Back Issue' }).click()
        await arrived(page, '**/backIssues')
        await expect.poll(() => issueCard(page, 'Plain paper').innerText()).toContain('Stock: Unlimited')
        await issueCard(page, 'Plain paper').getByRole('link', { name: 'Remove Back Issue' }).click()
        const question = page.getByRole('heading', { name: "Remove 'Plain paper'?" })
        await question.waitFor()
        await page.getByRole('button', { name: 'Remove back issue' }).click()
        await question.waitFor({ state: 'detached' })
        expect(await idOf('Plain paper')).toBe(0)
      },
      { javaScriptEnabled: false, width: 360 },
    )
  })

  it('show different messages if there are no issues and if no publication sells any', async () => {
    const { db } = server.services
    await db.run(`UPDATE back_issues SET removed_at = updated_at WHERE removed_at IS NULL`)
    await asRole('publisher', async ({ page }) => {
      await page.goto('/backIssues')
      await page.getByText('No Back issue found for this User').waitFor()
      await db.run(`UPDATE publications SET sells_back_issues = :no`, { no: false })
      await page.goto('/backIssues')
      await page.getByText("You don't have any publications which sells back issues").waitFor()
      expect(await faultsOf(page)).toEqual([])
      await page.goto('/addbackIssue')
      await expect.poll(() => page.getByRole('link', { name: 'Go to publications' }).count()).toBe(1)
    })
    await db.run(`UPDATE publications SET sells_back_issues = :yes WHERE url_key <> 'slow-steam'`, { yes: true })
    await db.run(`UPDATE back_issues SET removed_at = NULL WHERE volume NOT IN ('Storm special', 'Plain paper')`)
  })
})
