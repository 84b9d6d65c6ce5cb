import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { standardLayout } from '#core/mailing/layout.rules.ts'
import { saveLayout } from '#core/transfers/save-layout.ts'
import { faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { operator } from '#tests/support/factories.ts'
import { readZip } from '#tests/support/read-zip.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

async function demoPublication(): Promise<number> {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  return row?.id ?? 0
}

async function downloadByLink(page: Page, name: string): Promise<{ fileName: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
  const bytes = readFileSync((await download.path()) ?? '')
  await page.getByText(`${download.suggestedFilename()} is in your browser’s downloads`).waitFor()
  return { fileName: download.suggestedFilename(), bytes }
}

describe('the mailing file', () => {
  it('is one zip with a file for each zone and its counts, and the counts alone', () =>
    asRole(
      'mailer',
      async ({ page }) => {
        await page.goto(`/mailingfile/${await demoPublication()}?on=21/11/2026`)
        await takeScreenshot(page, 'mailing-file')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        const zip = await downloadByLink(page, 'Download a file for each zone (zip)')
        expect(zip.fileName).toBe('Harbour_Light_21112026.zip')
        const files = readZip(zip.bytes)
        const included = Number(
          (await page.getByRole('heading', { name: /^In the file:/ }).innerText()).replace(/\D/g, ''),
        )
        const rows = ['uk', 'europe', 'world'].map(
          (zone) =>
            String(files.get(`Harbour_Light_21112026_${zone}.csv`))
              .trimEnd()
              .split('\r\n').length - 1,
        )
        expect(rows.reduce((sum, count) => sum + count)).toBe(included)
        const counts = await downloadByLink(page, 'Download the counts sheet')
        expect(counts.fileName).toBe('Harbour_Light_21112026_counts.csv')
        expect(String(counts.bytes)).toContain(`In the file,All zones,${included},`)
        // The counts in the zip contain the same rows and more.
        const inZip = String(files.get('Harbour_Light_21112026_counts.csv'))
        expect(inZip.replace(/^(Characters|Cells|File,).*\r\n/gm, '')).toBe(String(counts.bytes).slice(1))
      },
      { width: 360 },
    ))
})

it('a layout with several files offers the zip first', () =>
  asRole('publisher', async ({ page }) => {
    const publicationId = await demoPublication()
    await saveLayout(server.as(operator), {
      publicationId,
      name: 'Acme',
      layout: { ...standardLayout, isSplit: true },
    })
    const linkOrder = () =>
      page
        .getByRole('link', { name: /^Download (a file for each|[\d,]+ readers)/ })
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.match(/mailing-file\.\w+/)?.[0]))
    await page.goto(`/mailingfile/${publicationId}`)
    await expect.poll(() => linkOrder()).toEqual(['mailing-file.csv', 'mailing-file.zip'])
    await page.goto(`/mailingfile/${publicationId}?layout=acme`)
    await expect.poll(() => linkOrder()).toEqual(['mailing-file.zip', 'mailing-file.csv'])
  }))
