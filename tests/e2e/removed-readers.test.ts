import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { removeReader } from '#core/readers/remove-reader.ts'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { deferred } from '#tests/support/deferred.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { fieldOf, focusedText, pathOf, toastWith } from '#tests/support/page-facts.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

/** The messages that a user sees for a reader that another user removes. */
const { server, asRole } = openVisits()
let publicationId = 0
let readerId = 0

beforeEach(async () => {
  const [{ id: publisherId } = { id: 0 }] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(server.services, { publisherId })).id
  readerId = await makeReader(server.services, publicationId, { lastName: 'Quill', fullName: 'Ida Quill' })
})

const removeNow = () => removeReader(server.as(operator), { id: readerId })
/** As an import does: without keeping a copy to restore the reader. */
const deleteWithoutCopy = () => server.services.db.run(`DELETE FROM readers WHERE id = :id`, { id: readerId })
const failure = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const undoOf = (page: Page) => toastWith(page, 'Reader removed').getByRole('button', { name: 'Undo' })

/** Removes the reader, and puts the mouse over the message: it stays until the mouse leaves it or its Undo was answered. */
async function removeOnPage(page: Page): Promise<void> {
  await page.goto(`/editreader/${readerId}`)
  await page.getByRole('button', { name: 'Remove Reader' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Reader' }).click()
  await arrived(page, `**/searchreaders/${publicationId}`)
  await undoOf(page).hover()
}

describe('a reader removed meanwhile', () => {
  it('is reported on the list when removing or deactivating it, and can be restored there', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/editreader/${readerId}`)
      await removeNow()
      await page.getByRole('button', { name: 'Remove Reader' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Reader' }).click()
      await arrived(page, `**/searchreaders/${publicationId}`)
      await failure(page, 'Reader not removed')
        .getByText(/^This reader was removed on \d\d\/\d\d\/\d{4} /)
        .waitFor()
      await failure(page, 'Reader not removed').getByRole('button', { name: 'Restore' }).click()
      await arrived(page, `**/editreader/${readerId}`)
      await removeNow()
      await page.getByRole('button', { name: 'Deactivate Reader' }).click()
      await failure(page, 'Reader not deactivated').waitFor()
      await expect.poll(() => pathOf(page)).toBe(`/searchreaders/${publicationId}`)
    }))

  it('keeps its Undo while the question about another form’s unsaved changes is answered with Cancel', () =>
    asRole('publisher', async ({ page }) => {
      const otherId = await makeReader(server.services, publicationId, { lastName: 'Inkwell' })
      await removeOnPage(page)
      await page.locator(`a[href*="/editreader/${otherId}"]`).first().press('Enter')
      await arrived(page, `**/editreader/${otherId}*`)
      await fieldOf(page, 'telephone').fill('01843 777')
      // By the keyboard: the mouse stays over the message.
      await undoOf(page).press('Enter')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).press('Enter')
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      expect(await fieldOf(page, 'telephone').inputValue()).toBe('01843 777')
      await undoOf(page).press('Enter')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).press('Enter')
      await toastWith(page, 'Reader restored').waitFor()
      await toastWith(page, 'Reader removed').waitFor({ state: 'detached' })
    }))

  it('keeps its Undo when that could not be sent, and is restored by it once the connection is back', () =>
    asRole('publisher', async ({ page, context, problems }) => {
      await removeOnPage(page)
      await context.setOffline(true)
      await undoOf(page).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
      await context.setOffline(false)
      await page.getByRole('heading', { level: 1, name: /^Readers of / }).waitFor()
      await undoOf(page).press('Enter')
      await arrived(page, `**/editreader/${readerId}`)
      await toastWith(page, 'Reader restored').waitFor()
      await toastWith(page, 'Reader removed').waitFor({ state: 'detached' })
      expect(problems().filter((problem) => !/net::ERR_|ConnectionLost/.test(problem))).toEqual([])
    }))

  it('is restored once by an Undo that is pressed twice', () =>
    asRole('publisher', async ({ page }) => {
      await removeOnPage(page)
      let sent = 0
      const pressedTwice = deferred()
      await page.route('**/searchreaders/*.data*', async (route) => {
        if (route.request().method() === 'POST') {
          sent++
          await pressedTwice.promise
        }
        await route.continue()
      })
      await undoOf(page).press('Enter')
      await page.locator('[data-sonner-toast] [aria-busy=true]').waitFor()
      await undoOf(page).press('Enter')
      pressedTwice.resolve()
      await arrived(page, `**/editreader/${readerId}`)
      await toastWith(page, 'Reader restored').waitFor()
      expect(sent).toBe(1)
    }))

  it('keeps what was typed, and can be restored and saved', () =>
    asRole('admin', async ({ page }) => {
      await page.goto(`/editreader/${readerId}`)
      await fieldOf(page, 'telephone').fill('01843 777')
      await removeNow()
      await page.getByRole('button', { name: 'Update Reader' }).click()
      const notice = page.getByRole('alert').filter({ hasText: 'Reader not updated' })
      await notice.getByText('What you typed is still here').waitFor()
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 777')
      await expect.poll(() => focusedText(page)).toMatch(/^Reader not updated/)
      await takeScreenshot(page, 'readers-gone')
      expect(await faultsOf(page)).toEqual([])
      await notice.getByRole('button', { name: 'Restore and save' }).click()
      await toastWith(page, 'Reader updated successfully').waitFor()
      await notice.waitFor({ state: 'detached' })
      expect(await readerRow(server.services, readerId)).toMatchObject({ telephone: '01843 777', last_name: 'Quill' })
    }))

  it('cannot be restored when an import removed it, and what was typed stays', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/editreader/${readerId}`)
      await fieldOf(page, 'telephone').fill('01843 888')
      await deleteWithoutCopy()
      await page.getByRole('button', { name: 'Update Reader' }).click()
      await page.getByText('an import, its undo or a merge removed it').waitFor()
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 888')
      await expect.poll(() => page.getByRole('button', { name: /^Restore( and save)?$/ }).count()).toBe(0)
    }))

  it('is reported on the list of Manage Data, which no longer shows it', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/managedata?publication=${publicationId}&view=all`)
      await removeNow()
      await page.getByRole('button', { name: 'Remove Ida Quill' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Reader' }).click()
      await failure(page, 'Reader not removed').waitFor()
      await page.getByText('There were no readers found for your search query').waitFor()
      await failure(page, 'Reader not removed').getByRole('button', { name: 'Restore' }).click()
      await toastWith(page, 'Reader restored').waitFor()
      await page.getByRole('button', { name: 'Remove Ida Quill' }).waitFor()
    }))
})
