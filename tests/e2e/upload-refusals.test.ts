import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { faultsOf, layoutFaultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makePublication } from '#tests/support/factories.ts'
import { focusedText } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

/** Files that are not reader files, and the focus after each step. */
const { server, asRole } = openVisits({ worker: true })
let publicationId = 0

beforeEach(async () => {
  const [{ id: publisherId } = { id: 0 }] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(server.services, { publisherId })).id
})

async function upload(page: Page, name: string, text: string | Buffer): Promise<void> {
  await page.goto(`/uploadadditional/${publicationId}`)
  await page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

describe('a file that is refused', () => {
  it('is reported with the specified wording, with the type of the file under the field', () =>
    asRole('publisher', async ({ page }) => {
      const picture = Buffer.from('\x89PNG\r\n\x1a\n no NUL in sight\r\nmore\r\n', 'latin1')
      await upload(page, 'cover.csv', picture)
      await page
        .getByRole('alert')
        .filter({ hasText: 'Additional Reader data failed due to data errors' })
        .getByText('This is usually caused by incorrect headers in the CSV file. Please fix the errors and retry')
        .waitFor()
      await page.getByText('"cover.csv" is not a CSV file: it is an image').first().waitFor()
      await expect.poll(() => focusedText(page)).toMatch(/^Additional Reader data failed/)
    }))

  it('before it is sent has the same message above the form as under the field', () =>
    asRole('publisher', async ({ page }) => {
      await upload(page, 'empty.csv', '')
      const summary = page.getByRole('alert').filter({ hasText: 'The file is empty' })
      await summary.waitFor()
      await expect.poll(() => page.getByText('Choose a CSV file').count()).toBe(0)
      await upload(page, 'readers.txt', 'UniqueReference\nA\n')
      await page.getByRole('alert').filter({ hasText: 'Invalid file type' }).waitFor()
      expect(await page.locator('[data-sonner-toast]').count()).toBe(0)
    }))
})

describe('a file without a header', () => {
  it('is noticed before its first reader is lost', () =>
    asRole('publisher', async ({ page }) => {
      await upload(page, 'headless.csv', 'X1,Smith,smith@example.org\nX2,Jones,jones@example.org\n')
      await page.getByText('The first line seems to be a reader, not the names of the columns').waitFor()
      expect(await faultsOf(page)).toEqual([])
    }))
})

describe('the steps of an upload', () => {
  it('each move the focus to their heading, and a long file name fits a phone’s page', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        const name = `${'Abonnenten_'.repeat(18)}.csv`
        const waitForFocusOn = async (heading: string) => {
          await page.getByRole('heading', { name: heading }).waitFor()
          await page.waitForFunction((text) => document.activeElement?.textContent === text, heading)
          await takeScreenshot(page, `upload-step-${heading}`)
          expect([heading, await layoutFaultsOf(page)]).toEqual([heading, []])
        }
        await upload(page, name, 'Ref,Surname,Mail\nL1,Lee,lee@example.org\nL2,Ray,nobody\n')
        await waitForFocusOn('Match the columns')
        await page.getByRole('button', { name: 'Check the file' }).click()
        await waitForFocusOn('Will add 1, reject 1')
        await page.getByRole('button', { name: 'Add 1 reader' }).click()
        await waitForFocusOn('The import is done')
        await server.services.db.run(`UPDATE uploads SET started_at = :before WHERE publication_id = :publicationId`, {
          before: new Date('2020-01-01'),
          publicationId,
        })
        await page.getByRole('button', { name: /^Undo this import/ }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Undo this import' }).click()
        await page.getByRole('alert').getByText('This import cannot be undone').waitFor()
        await page.goto(`/managedata/imports/${publicationId}`)
        expect(await layoutFaultsOf(page)).toEqual([])
        await page.goto(`/managedata?publication=${publicationId}`)
        expect(await layoutFaultsOf(page)).toEqual([])
        // An upload that waits for a decision is mentioned on every other upload page.
        await upload(page, name, 'Ref,Surname,Mail\nL3,Lee,lee@example.org\n')
        await page.getByRole('heading', { name: 'Will add 1, reject 0' }).waitFor()
        await page.goto(`/uploadreplacement/${publicationId}`)
        await page.getByRole('link', { name: 'Go to the upload' }).waitFor()
        expect(await layoutFaultsOf(page)).toEqual([])
      },
      { width: 360 },
    ))
})
