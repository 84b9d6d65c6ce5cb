import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { arrived } from '#tests/support/browser.ts'
import { makePublication } from '#tests/support/factories.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })

let publicationId = 0

beforeEach(async () => {
  const [{ id: publisherId } = { id: 0 }] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(server.services, { publisherId, publicationName: 'The Gardener' })).id
})

/** Windows-1252, semicolons, other column names, an impossible date, a reader who occurs twice and one with only a full name. */
const malformedFile = {
  name: 'Leser März.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Ref;Surname;First name;Full name;Mail;Address 1;City;Post Code;Country;Expiry date;Sub type',
      'R1;Müller;Jörg;Jörg Müller;joerg@example.org;Hafenstraße 3;Köln;50667;Germany;31/12/2099;print',
      'R2;Thompson;Robert;Robert Thompson;bob@example.org;14 Mill Street;Fowey;PL23 1AQ;;31/12/2099;print',
      'R3;Thomson;Robert;Robert Thomson;bob@example.org;14 Mill St;Fowey;pl231aq;;31/12/2098;print',
      'R4;;;Dr Jan van der Berg;;2 Quay;Fowey;PL23 1AT;;31/12/2099;bundle',
      'R5;Lee;Ann;Ann Lee;ann@example.org;9 Hill;Ely;CB7 4DL;;31/02/2099;print',
    ].join('\r\n'),
    'latin1',
  ),
}

type UploadedFile = typeof malformedFile

async function upload(page: Page, file: UploadedFile): Promise<void> {
  await page.goto(`/uploadadditional/${publicationId}`)
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

async function downloadText(page: Page, start: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()])
  return readFileSync(await download.path(), 'utf8')
}

async function storedNames(): Promise<string[]> {
  const rows = await server.services.db.query<{ name: string }>(
    `SELECT unique_reference || ' ' || first_name || ' ' || last_name AS name FROM readers
     WHERE publication_id = :publicationId ORDER BY unique_reference`,
    { publicationId },
  )
  return rows.map(({ name }) => name)
}

it('a malformed file is imported, its rejected row corrected, warnings fixed, duplicates merged and unmerged, and the mailing file made', () =>
  asRole('publisher', async ({ page }) => {
    await upload(page, malformedFile)
    await page.getByText('The columns have been matched by their names and values').waitFor()
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('heading', { name: 'Will add 4, reject 1' }).waitFor()
    await page.getByRole('button', { name: 'Add 4 readers' }).click()
    await page.getByRole('heading', { name: 'The import is done' }).waitFor()

    // The rejected row is returned with its own cells; the corrected file is imported directly, because its columns are known.
    const rejected = await downloadText(page, () => page.getByRole('link', { name: 'Download rejected rows' }).click())
    expect(rejected).toContain('31/02/2099')
    const corrected = Buffer.from(rejected.replace('31/02/2099', '28/02/2099'))
    await upload(page, { ...malformedFile, name: 'corrected.csv', buffer: corrected })
    await page.getByRole('heading', { name: 'Will add 1, reject 0' }).waitFor()
    await page.getByRole('button', { name: 'Add 1 reader' }).click()
    await arrived(page, `**/managedata?publication=${publicationId}`)
    await expect
      .poll(() => storedNames())
      .toEqual(['R1 Jörg Müller', 'R2 Robert Thompson', 'R3 Robert Thomson', 'R4  ', 'R5 Ann Lee'])

    await page.getByRole('link', { name: /^View Empty Name Fields/ }).click()
    await page.getByRole('link', { name: 'Auto Fix Empty Name Fields' }).click()
    await page.getByRole('button', { name: 'Fix 1 reader' }).click()
    await page.getByText('1 reader fixed', { exact: true }).first().waitFor()
    await expect.poll(() => storedNames()).toContain('R4 Jan van der Berg')

    await page.goto(`/managedata/likely/${publicationId}`)
    await page.getByRole('button', { name: 'Search for likely duplicates' }).click()
    await page.getByText('5 active readers searched').waitFor()
    const merge = async () => {
      await page.getByRole('button', { name: 'Merge 2 records' }).click()
      await page.getByText('2 records merged into one reader').first().waitFor()
      await expect
        .poll(() => storedNames())
        .toEqual(['R1 Jörg Müller', 'R2 Robert Thompson', 'R4 Jan van der Berg', 'R5 Ann Lee'])
    }
    await merge()
    await page.getByRole('link', { name: 'Merged' }).click()
    await page.getByRole('button', { name: /^Undo the merge of/ }).click()
    await page.getByText('Merge undone: 1 reader restored').first().waitFor()
    await expect.poll(() => storedNames()).toContain('R3 Robert Thomson')
    await page.goto(`/managedata/likely/${publicationId}`)
    await merge()

    await page.goto('/readers')
    const mailingFile = await downloadText(page, () =>
      page.getByRole('link', { name: 'Download Current Mailing File: The Gardener' }).click(),
    )
    const lines = mailingFile.trim().split('\r\n').slice(1)
    // By zone, then postcode: Ely, Fowey's two, and Cologne.
    expect(lines.map((line) => /R\d/.exec(line)?.[0])).toEqual(['R5', 'R2', 'R4', 'R1'])
    expect(lines[3]).toContain('Jörg Müller')
    expect(lines[1]).toContain('PL23 1AQ')
  }))
