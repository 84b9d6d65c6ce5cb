import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makePublication } from '#tests/support/factories.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })
let publicationId = 0

beforeEach(async () => {
  const [{ id: publisherId } = { id: 0 }] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(server.services, { publisherId })).id
})

async function uploadFile(page: Page, text: Buffer): Promise<void> {
  await page.goto(`/uploadadditional/${publicationId}`)
  await page.getByLabel('CSV file').setInputFiles({ name: 'lecteurs.csv', mimeType: 'text/csv', buffer: text })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

describe('a file in a wrong encoding', () => {
  it('is refused as mojibake, its encoding is chosen, and it is imported without an invalid email', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        const text = 'UniqueReference,FirstName,City,Email\nM1,Zoë,Orléans,zoe@example.org\nM2,Noël,Besançon,Non\n'
        await uploadFile(page, Buffer.from(Buffer.from(text).toString('latin1')))
        await page.getByRole('heading', { name: 'How should this file be read?' }).waitFor()
        await page.getByText('“ZoÃ«” should be “Zoë”').waitFor()
        await takeScreenshot(page, 'encoding-doubt')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        // Returning shows the same question: nothing was imported.
        await page.reload()
        await expect.poll(() => page.getByLabel('Encoding').inputValue()).toBe('utf-8-twice')

        // If the encoding is not changed, every damaged row is rejected.
        await page.getByLabel('Encoding').selectOption('utf-8')
        await page.getByRole('button', { name: 'Read the file' }).click()
        await page.getByRole('heading', { name: 'Will add 0, reject 2' }).waitFor()
        await page.getByText('should be “Zoë”').first().waitFor()

        await page.getByText('Change how it is read').click()
        await page.getByLabel('Encoding').selectOption('utf-8-twice')
        await page.getByLabel('Import rows whose only problem is an invalid email or telephone').check()
        await page.getByRole('button', { name: 'Check again' }).click()
        await page.getByRole('heading', { name: 'Will add 2, reject 0' }).waitFor()
        const reading = page.getByRole('region', { name: 'How the file was read' })
        await reading.getByText('Orléans').waitFor()
        await page.getByText('1 Email cell was skipped').waitFor()
        await takeScreenshot(page, 'encoding-preview')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])

        await page.getByRole('button', { name: 'Add 2 readers' }).click()
        await page.getByRole('heading', { name: 'The import is done' }).waitFor()
        await page.getByText('1 Email cell was skipped').waitFor()
        const stored = await server.services.db.query<{ first_name: string; city: string; email: string }>(
          `SELECT first_name, city, email FROM readers WHERE publication_id = :publicationId ORDER BY id`,
          { publicationId },
        )
        expect(stored).toEqual([
          { first_name: 'Zoë', city: 'Orléans', email: 'zoe@example.org' },
          { first_name: 'Noël', city: 'Besançon', email: '' },
        ])
      },
      { width: 360 },
    ))

  it('is chosen by the first records that the likely encodings read differently', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        const plain = Array.from({ length: 30 }, (_, row) => `P${row},Ann,Lee\n`).join('')
        const text = `UniqueReference,FirstName,LastName\n${plain}Q1,Tom,Vl\xe8ek\nQ2,Eva,Kov\xe1\xf8\n`
        await uploadFile(page, Buffer.from(text, 'latin1'))
        await page.getByRole('heading', { name: 'How should this file be read?' }).waitFor()
        await page.getByText('Line 32, LastName').waitFor()
        await page.getByText('Vlček', { exact: true }).waitFor()
        await page.getByText('Vlèek', { exact: true }).waitFor()
        expect(await page.getByText('Ann', { exact: true }).count()).toBe(0)
        await takeScreenshot(page, 'encoding-differences')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await page.getByLabel('Encoding').selectOption('windows-1250')
        await page.getByRole('button', { name: 'Read the file' }).click()
        await page.getByRole('heading', { name: 'Will add 32, reject 0' }).waitFor()
      },
      { width: 360 },
    ))

  it('is the usual one of the publisher’s country in case of doubt, and the preview says so', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await uploadFile(page, Buffer.from('UniqueReference,LastName\nQ1,Lee\nQ2,Hal\xe8\n', 'latin1'))
        await page.getByRole('heading', { name: 'Will add 2, reject 0' }).waitFor()
        const reading = page.getByRole('region', { name: 'How the file was read' })
        await reading.getByText('usual in your country').waitFor()
        await reading.getByText('Halč', { exact: true }).waitFor()
        await takeScreenshot(page, 'encoding-assumed')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await page.getByText('Change how it is read').click()
        await page.getByLabel('Encoding').selectOption('windows-1250')
        await page.getByRole('button', { name: 'Check again' }).click()
        await reading.getByText('Halč', { exact: true }).waitFor()
        await expect.poll(() => reading.getByText('usual in your country').count()).toBe(0)
      },
      { width: 360 },
    ))
})
