import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { saveLayout } from '#core/transfers/save-layout.ts'
import { arrived, faultsOf, layoutFaultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { deferred } from '#tests/support/deferred.ts'
import { operator } from '#tests/support/factories.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()
let publicationId = 0

beforeAll(async () => {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = row?.id ?? 0
})

/** Makes the export of readers wait, until the test releases it or lets it fail. */
function holdExport() {
  const { readerFiles } = server.services
  const exportLines = readerFiles.exportLines
  let problem: Error | undefined
  const released = deferred()
  readerFiles.exportLines = async function* (plan) {
    for await (const chunk of exportLines(plan)) {
      yield chunk
      // Held for longer than the progress interval, so that the window has something to show.
      let isHeld = true
      while (isHeld && !problem) {
        isHeld = await Promise.race([
          released.promise.then(() => false),
          new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 100)),
        ])
        // After a chunk, even one without rows, the sender checks whether the download was cancelled.
        yield Buffer.alloc(0)
      }
      if (problem) throw problem
    }
  }
  return {
    release: released.resolve,
    breakOff(reason: Error) {
      problem = reason
    },
    restore() {
      readerFiles.exportLines = exportLines
      released.resolve()
    },
  }
}

const cardOf = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Harbour Light' }) })
const openerOf = (page: Page) => cardOf(page).getByRole('link', { name: 'Download Entire Database: Harbour Light' })
const startDownload = (page: Page) => openerOf(page).click()
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Downloading Entire Database' })
const textOf = async (download: Download) => readFileSync((await download.path()) ?? '', 'utf8')

describe('the window of a download', () => {
  it('shows progress, is not closed by a click outside it, and closes itself when the file is complete', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        const hold = holdExport()
        try {
          await page.goto('/readers')
          const downloadStarted = page.waitForEvent('download')
          await startDownload(page)
          const dialog = dialogOf(page)
          await dialog.getByText('the download will appear in your browser’s downloads').waitFor()
          const download = await downloadStarted
          await dialog.getByText(/of [\d,]+ rows, /).waitFor()
          await expect.poll(() => dialog.getByRole('progressbar').getAttribute('max')).toMatch(/^\d+$/)
          await page.mouse.click(5, 5)
          await expect.poll(() => dialog.isVisible()).toBe(true)
          await takeScreenshot(page, 'download-window')
          expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
          hold.release()
          await dialog.waitFor({ state: 'hidden' })
          await expect.poll(() => openerOf(page).evaluate((link) => link === document.activeElement)).toBe(true)
          await page.getByText('is in your browser’s downloads').waitFor()
          expect(download.suggestedFilename()).toMatch(/^Harbour_Light_\d{6,8}\.csv$/)
          const text = await textOf(download)
          expect(text).toMatch(/^\ufeffBuyerId,UniqueReference,/)
          const [{ n: readerCount } = { n: 0 }] = await server.services.db.query<{ n: number }>(
            `SELECT COUNT(*) AS n FROM readers WHERE publication_id = :publicationId`,
            { publicationId },
          )
          expect(text.trimEnd().split('\r\n').length).toBe(readerCount + 1)
        } finally {
          hold.restore()
        }
      },
      { width: 360 },
    ))

  it('cancels: the browser keeps no file, and the server stops', () =>
    asRole('publisher', async ({ page }) => {
      const hold = holdExport()
      try {
        await page.goto('/readers')
        const downloadStarted = page.waitForEvent('download')
        await startDownload(page)
        const download = await downloadStarted
        await dialogOf(page)
          .getByText(/rows, /)
          .waitFor()
        await dialogOf(page).getByRole('button', { name: 'Cancel download' }).click()
        await dialogOf(page).waitFor({ state: 'hidden' })
        expect(await download.failure()).not.toBeNull()
        const states = await server.services.db.query<{ state: string }>(
          `SELECT state FROM downloads ORDER BY id DESC LIMIT 1`,
        )
        expect(states).toEqual([{ state: 'cancelled' }])
      } finally {
        hold.restore()
      }
    }))

  it('stays open with the reason when the file breaks off, and Retry downloads it', () =>
    asRole('publisher', async ({ page }) => {
      const hold = holdExport()
      try {
        await page.goto('/readers')
        const downloadStarted = page.waitForEvent('download')
        await startDownload(page)
        const download = await downloadStarted
        await dialogOf(page)
          .getByText(/rows, /)
          .waitFor()
        hold.breakOff(new Error('the disk is on fire'))
        await dialogOf(page).getByText('The download failed').waitFor()
        await dialogOf(page).getByText('Something went wrong on our side').waitFor()
        await expect.poll(() => dialogOf(page).innerText()).not.toContain('fire')
        expect(await download.failure()).not.toBeNull()
        await takeScreenshot(page, 'download-failed')
        expect(await faultsOf(page)).toEqual([])
      } finally {
        hold.restore()
      }
      const secondDownload = page.waitForEvent('download')
      await dialogOf(page).getByRole('button', { name: 'Retry' }).click()
      expect(await (await secondDownload).failure()).toBeNull()
      await dialogOf(page).waitFor({ state: 'hidden' })
    }))

  it('reports a server that does not respond or a lost log-in, and saves no page in the file’s place', () =>
    asRole('publisher', async ({ page, context, problems }) => {
      await page.goto('/readers')
      const saved: string[] = []
      page.on('download', (download) => saved.push(download.suggestedFilename()))
      await page.route('**/downloads?*', (route) => route.abort())
      await startDownload(page)
      await dialogOf(page).getByText('The server is not responding').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Close', exact: true }).last().click()
      await page.unroute('**/downloads?*')
      const cookies = await context.cookies()
      await context.clearCookies()
      await startDownload(page)
      await dialogOf(page).getByText('You have been logged out').waitFor()
      await context.addCookies(cookies)
      expect(saved).toEqual([])
      // The browser itself logs the refused request.
      expect(problems().filter((problem) => !/ERR_FAILED/.test(problem))).toEqual([])
    }))

  it('is not needed: without JavaScript the link downloads the file', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/readers')
        const downloadStarted = page.waitForEvent('download')
        await startDownload(page)
        expect(await textOf(await downloadStarted)).toMatch(/^\ufeffBuyerId,/)
      },
      { javaScriptEnabled: false },
    ))
})

describe('mailing files', () => {
  it('are made in a custom layout, previewed before it is saved, with columns moved by keyboard', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        const name = 'Acme'
        await page.goto(`/mailinglayouts/${publicationId}`)
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await page.getByRole('link', { name: 'Add layout' }).click()
        await page.getByRole('button', { name: 'Add layout' }).click()
        await page.getByRole('alert').getByRole('link', { name: 'enter a value' }).waitFor()
        await page.getByRole('textbox', { name: 'Name' }).first().fill(name)
        for (const column of ['Title', 'FirstName', 'LastName', 'JobTitle', 'State'])
          await page.getByRole('button', { name: `Remove ${column}`, exact: true }).click()
        const moveUp = page.getByRole('button', { name: 'Move PostCode up' })
        await moveUp.focus()
        await page.keyboard.press('Enter')
        await page.keyboard.press('Enter')
        await expect.poll(() => moveUp.evaluate((button) => button === document.activeElement)).toBe(true)
        await page.getByLabel('Another column').selectOption('KeyLine')
        await page.getByRole('button', { name: 'Add column' }).click()
        await page.getByRole('textbox', { name: 'What the file calls KeyLine' }).fill('Key')
        await page.getByLabel('Encoding').selectOption('windows-1252')
        await page.getByRole('button', { name: 'Preview', exact: true }).click()
        await page.getByRole('columnheader', { name: 'Key' }).waitFor()
        await takeScreenshot(page, 'mailing-layout')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await page.getByRole('button', { name: 'Add layout' }).click()
        await page.getByText('New layout added').waitFor()
        await page.getByRole('heading', { name }).waitFor()
        await takeScreenshot(page, 'mailing-layouts')
        await page.goto(`/mailingfile/${publicationId}?layout=${encodeURIComponent(name)}`)
        await takeScreenshot(page, 'mailing-file')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        const downloadStarted = page.waitForEvent('download')
        await page.getByRole('link', { name: 'Download United Kingdom' }).click()
        const download = await downloadStarted
        expect(download.suggestedFilename()).toMatch(/^Harbour_Light_\d{6,8}_uk\.csv$/)
        const [header = '', firstRow = ''] = readFileSync((await download.path()) ?? '', 'latin1').split('\r\n')
        expect(header).toBe(
          'UniqueReference,FullName,CompanyName,Address1,Address2,Address3,Address4,PostCode,City,Country,SubType,SubExpiry,Key',
        )
        expect(firstRow).toMatch(/,HL [A-Z]+\d+ \d\d\/\d\d$/)
      },
      { width: 360 },
    ))

  it('can be chosen by a mailer, not changed; a wrong day is reported; layouts are removed', async () => {
    await asRole('mailer', async ({ page }) => {
      await page.goto('/readers')
      await page.getByRole('link', { name: 'Mailing file for another day or layout: Harbour Light' }).click()
      await page.getByRole('heading', { name: 'Mailing file' }).waitFor()
      await expect.poll(() => page.getByRole('link', { name: 'Layouts' }).count()).toBe(0)
      await page.getByLabel('Mailing date').fill('31/02/2027')
      await page.getByRole('button', { name: 'Count' }).click()
      await page.getByRole('alert').getByText('Enter a day that exists, as DD/MM/YYYY').first().waitFor()
      await page.getByLabel('Mailing date').fill('01/03/2027')
      await page.getByRole('button', { name: 'Count' }).click()
      await page.getByRole('link', { name: /for 01\/03\/2027$/ }).waitFor()
    })
    await asRole('publisher', async ({ page }) => {
      await page.goto(`/mailinglayouts/${publicationId}`)
      await page.getByRole('button', { name: 'Remove Acme' }).click()
      const dialog = page.getByRole('alertdialog', { name: "Remove the layout 'Acme'?" })
      await dialog.getByRole('button', { name: 'Remove layout' }).click()
      await page.getByText('The layout Acme was removed').waitFor()
    })
  })

  it('have layouts whose form stays if somebody renamed or removed the layout meanwhile', () =>
    asRole('publisher', async ({ page }) => {
      const ctx = server.as(operator)
      await saveLayout(ctx, { publicationId, name: 'Mine', layout: { columns: [{ column: 'FullName' }] } })
      await page.goto(`/mailinglayouts/${publicationId}?edit=Mine`)
      await saveLayout(ctx, {
        publicationId,
        was: 'Mine',
        name: 'Theirs',
        layout: { columns: [{ column: 'FullName' }] },
      })
      await page.getByLabel('Key line').fill('Typed {reference}')
      await page.getByRole('button', { name: 'Preview', exact: true }).click()
      await page.getByRole('columnheader', { name: 'FullName' }).waitFor()
      await page.getByRole('button', { name: /^(Update|Add) layout$/ }).click()
      await page.getByRole('alert').filter({ hasText: 'This layout no longer exists' }).waitFor()
      expect(await page.getByLabel('Key line').inputValue()).toBe('Typed {reference}')
      await page.getByRole('button', { name: 'Add layout' }).click()
      await page.getByRole('heading', { name: 'Mine' }).waitFor()
      await page.getByRole('heading', { name: 'Theirs' }).waitFor()
    }))

  it('have layouts that are made without JavaScript, too', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/mailinglayouts/${publicationId}?new`)
        await page.getByRole('textbox', { name: 'Name' }).first().fill('Plain')
        await page.getByRole('button', { name: 'Move FirstName up' }).click()
        await page.getByRole('button', { name: 'Remove JobTitle' }).click()
        expect(await layoutFaultsOf(page)).toEqual([])
        await page.getByRole('button', { name: 'Add layout' }).click()
        await page.getByRole('heading', { name: 'Plain' }).waitFor()
        await page.getByText('16 columns').waitFor()
        await page.getByRole('button', { name: 'Remove Plain' }).click()
        await page.getByRole('heading', { name: "Remove the layout 'Plain'?" }).waitFor()
        await page.getByRole('button', { name: 'Remove layout' }).click()
        await arrived(page, `**/mailinglayouts/${publicationId}`)
        await expect.poll(() => page.getByRole('heading', { name: 'Plain' }).count()).toBe(0)
      },
      { javaScriptEnabled: false },
    ))
})
