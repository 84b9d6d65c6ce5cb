import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makePublication } from '#tests/support/factories.ts'
import { toastWith } from '#tests/support/page-facts.ts'
import { copyReader, makeReader, readerRow } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

/** The removal of a list that is too long for one request: the worker does it, and the page shows how far it is. */
const { server, asRole } = openVisits({ worker: true })
let publicationId = 0
let publisherId = 0
let first = 0

beforeEach(async () => {
  const [publisher] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publisherId = Number(publisher?.id)
  publicationId = (await makePublication(server.services, { publisherId })).id
  first = await makeReader(server.services, publicationId, { lastName: 'Quill', fullName: 'Ida Quill' })
  await copyReader(server.services, first, 2149)
})

const list = () => `/managedata?publication=${publicationId}&view=all`
const count = async () => {
  const [row] = await server.services.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM readers WHERE publication_id = :publicationId`,
    { publicationId },
  )
  return Number(row?.n)
}
const restoreButton = (page: Page) => page.getByRole('button', { name: /^Restore them/ })

describe('a list of more than 2,000 readers', () => {
  it('is removed as a whole, says when it is done, and can be restored', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(list())
      await page.getByRole('checkbox', { name: 'All 10 readers on this page' }).check()
      await page.getByRole('button', { name: 'Select all 2,150' }).click()
      await page.getByRole('button', { name: 'Remove 2,150 readers' }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Remove 2,150 readers?' })
      await dialog.getByText('Readers who were added or changed since this list was shown stay.').waitFor()
      await takeScreenshot(page, 'removal-question')
      await dialog.getByRole('button', { name: 'Remove 2,150 readers' }).click()
      await toastWith(page, 'The readers are being removed').waitFor()
      await page.getByText('2,150 readers removed: All readers').waitFor()
      await page.getByText('There were no readers found for your search query').waitFor()
      expect(await count()).toBe(0)
      await takeScreenshot(page, 'removal-done')
      expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      await page.setViewportSize({ width: 360, height: 800 })
      await takeScreenshot(page, 'removal-done-360')
      await restoreButton(page).click()
      await toastWith(page, 'The readers are being restored').waitFor()
      await page.getByText('2,150 readers restored: All readers').waitFor()
      await page.getByText('Ida Quill').first().waitFor()
      expect(await count()).toBe(2150)
      expect(await restoreButton(page).count()).toBe(0)
    }))

  it('can be stopped while it is being removed', () =>
    asRole('publisher', async ({ page }) => {
      const { db } = server.services
      const [removal] = await db.query<{ id: number }>(
        `INSERT INTO reader_removals (publication_id, list, shown_at, removed, created_at)
         VALUES (:publicationId, 'all', :now, 1000, :now) RETURNING id`,
        { publicationId, now: server.services.now() },
      )
      // Another process works on it.
      await db.run(
        `INSERT INTO tasks (kind, publisher_id, publication_id, subject_id, lock_key, state, done, total, counts, actor_kind, on_lost, token,
           lease_until, asked_at, started_at)
         VALUES ('remove-readers', :publisherId, :publicationId, :id, :lock, 'running', 1000, 2150, '{}', 'operator', 'resume', 1, :until, :now, :now)`,
        {
          publisherId,
          publicationId,
          id: Number(removal?.id),
          lock: `removals:${publicationId}`,
          until: new Date(server.services.now().getTime() + 3_600_000),
          now: server.services.now(),
        },
      )
      await page.goto(list())
      await page.getByText('Removing readers: All readers…').waitFor()
      await page.getByText('1,000 of 2,150 readers').waitFor()
      expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      await takeScreenshot(page, 'removal-running')
      await page.setViewportSize({ width: 360, height: 800 })
      await takeScreenshot(page, 'removal-running-360')
      await page.getByRole('button', { name: 'Stop (All readers)' }).click()
      await toastWith(page, 'Stopped').getByText('1,000 readers were removed until then.').waitFor()
      await page.getByText('Removing readers stopped after 1,000: All readers').waitFor()
      await takeScreenshot(page, 'removal-stopped-360')
      expect(await count()).toBe(2150)
    }))

  it('is removed and restored without JavaScript', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(list())
        await page.getByRole('link', { name: 'Remove all 2,150 readers' }).click()
        await page.getByRole('heading', { name: 'Remove 2,150 readers?' }).waitFor()
        await takeScreenshot(page, 'removal-question-plain')
        await page.getByRole('button', { name: 'Remove 2,150 readers' }).click()
        await arrived(page, '**/managedata?*')
        await expect.poll(() => page.locator('body').innerText()).toContain('The readers are being removed')
        await server.jobsDone()
        await page.goto(list())
        await page.getByText('2,150 readers removed: All readers').waitFor()
        expect(await readerRow(server.services, first)).toBeUndefined()
        await restoreButton(page).click()
        await expect.poll(() => page.locator('body').innerText()).toContain('The readers are being restored')
        await server.jobsDone()
        expect(await count()).toBe(2150)
      },
      { javaScriptEnabled: false },
    ))
})
