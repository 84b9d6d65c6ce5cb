import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { arrived, takeScreenshot } from '#tests/support/browser.ts'
import { makePublication } from '#tests/support/factories.ts'
import { focusedId } from '#tests/support/page-facts.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })
let publicationId = 0

beforeEach(async () => {
  const { services } = server
  const [{ id: publisherId } = { id: 0 }] = await services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(services, { publisherId })).id
  for (const lastName of ['Quill', 'Penrose'])
    await makeReader(services, publicationId, { firstName: 'Ida', lastName, fullName: '', email: '' })
})

/** Waits until the heading has the focus, as a screen reader expects. */
const waitForFocusOn = (page: Page, heading: string) =>
  page.waitForFunction((text) => document.activeElement?.textContent?.trim() === text, heading)

describe('the focus in Manage Data', () => {
  it('moves to the opened list, to the shown fix, and on when it is done and undone', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/managedata?publication=${publicationId}`)
        await page.getByRole('link', { name: 'View Empty Full Names' }).click()
        await waitForFocusOn(page, 'Empty Full Names 2')
        await page.getByRole('link', { name: 'Auto Fix Empty Full Names' }).click()
        await waitForFocusOn(page, 'Auto Fix: Empty Full Names')
        // On a phone the change is in view.
        const fixedName = page.getByRole('cell').filter({ hasText: /^Ida Quill$/ })
        const box = await fixedName.boundingBox()
        expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
        await takeScreenshot(page, 'manage-data-fix-360')
        await page.getByRole('button', { name: 'Fix 2 readers' }).click()
        await waitForFocusOn(page, 'Empty Full Names 0')
        await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Undone: 2 readers are restored').waitFor()
        await page.getByRole('heading', { name: 'Empty Full Names 2' }).waitFor()
        await page.waitForFunction(() => document.activeElement !== document.body)
      },
      { width: 360 },
    ))

  it('moves on from a finished undo before its message disappears', () =>
    asRole('publisher', async ({ page, installClock }) => {
      await installClock()
      await page.goto(`/managedata?publication=${publicationId}&view=nofullname&fix=full-names`)
      await page.getByRole('button', { name: 'Fix 2 readers' }).click()
      const undo = page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' })
      await undo.waitFor()
      // From now on no timer of the page fires: its message, which lasts 15 seconds, stays until the response is rendered.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 8000)
      await undo.click()
      await page.getByRole('heading', { name: 'Empty Full Names 2' }).waitFor()
      await page.clock.runFor(2000)
      await undo.waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.closest('main'))
    }))
})

describe('the focus in a list', () => {
  it('stays on the number of rows that was chosen', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/payments')
      await page.getByLabel('Rows per page').focus()
      await page.getByLabel('Rows per page').selectOption('25')
      await arrived(page, '**size=25**')
      await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
      await expect.poll(() => focusedId(page)).toBe('page-size')
    }))
})

describe('the focus after a form that stays on its page', () => {
  it('moves to the page’s heading', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/invoices')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Payment terms saved').waitFor()
      await page.waitForFunction(() => document.activeElement?.matches('main h1'))
    }))
})

describe('the focus in layouts of mailing files', () => {
  it('moves to the form’s heading, with a warning before typed input is lost', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/mailinglayouts/${publicationId}`)
      await page.getByRole('link', { name: 'Add layout' }).click()
      await waitForFocusOn(page, 'Add layout')
      await page.getByRole('button', { name: 'Remove Title', exact: true }).click()
      await page.getByRole('link', { name: 'Cancel' }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      // While it is open the dialog keeps the focus and receives the input.
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('textbox', { name: 'Name' }).first().fill('Kept')
      await page.getByRole('button', { name: 'Add layout' }).click()
      await page.getByText('New layout added').waitFor()
      await page.getByRole('link', { name: 'Edit Kept' }).click()
      await waitForFocusOn(page, 'Edit Kept')
      // The last button of a page can be scrolled out from under the message.
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      const cancel = page.getByRole('link', { name: 'Cancel' })
      const message = page.locator('[data-sonner-toast]')
      // The message stays while it is hovered.
      await message.hover()
      await expect
        .poll(async () => {
          const [button, messageBox] = await Promise.all([cancel.boundingBox(), message.boundingBox()])
          return button && messageBox && button.y + button.height <= messageBox.y
        })
        .toBe(true)
      await cancel.click()
      await waitForFocusOn(page, 'Mailing layouts')
    }))
})
