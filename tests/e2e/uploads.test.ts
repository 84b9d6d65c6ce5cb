import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { arrived, faultsOf, loadAfter, takeScreenshot } from '#tests/support/browser.ts'
import { makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })

let publicationId = 0
const urlKey = () => `gardener-${publicationId}`

beforeEach(async () => {
  const { services } = server
  const [{ id: publisherId } = { id: 0 }] = await services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(services, { publisherId, publicationName: 'The Gardener' })).id
  await services.db.run(`UPDATE publications SET url_key = :key, url_key_lower = :key WHERE id = :id`, {
    key: urlKey(),
    id: publicationId,
  })
  for (const [reference, lastName] of [
    ['G1', 'Penrose'],
    ['G2', 'Trelawny'],
    ['G3', 'Carew'],
  ] as const)
    await makeReader(services, publicationId, {
      uniqueReference: reference,
      lastName,
      email: `${lastName}@example.org`,
    })
})

/** Windows-1252, semicolons, unknown column names, quotes, blank lines, invalid dates and emails, a repeated name. */
const malformedFile = {
  name: 'Abonnenten März.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Ref;Surname;First name;Mail;Post Town;Expiry date;Vermerk',
      'U1;Müller;Jörg;joerg@example.org;Köln;31/12/2027;"ruft an; ""bald"""',
      'U2;Lee;Ann;ann(at)example.org;York;1/2/27;',
      '',
      'U3;Ray;Bob;bob@example.org;Hull;31/02/2027;',
      'U1;Day;Cy;cy@example.org;Leeds;2027-06-30;',
      'G1;Penrose;Ann;ann@example.org;Fowey;31/12/2027;',
      'U5;Formula;=cmd|x;eve@example.org;Bath;30/06/2027;"nie geschlossen',
      'U6;Good;Gil;gil@example.org;Ely;30/06/2027;',
    ].join('\r\n'),
    'latin1',
  ),
}
const csvFile = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

async function lastNamesByReference(): Promise<Record<string, string>> {
  const rows = await server.services.db.query<{ unique_reference: string; last_name: string }>(
    `SELECT unique_reference, last_name FROM readers WHERE publication_id = :publicationId ORDER BY unique_reference`,
    { publicationId },
  )
  return Object.fromEntries(rows.map(({ unique_reference, last_name }) => [unique_reference, last_name]))
}
const initialReaders = { G1: 'Penrose', G2: 'Trelawny', G3: 'Carew' }

async function upload(page: Page, path: string, file: typeof malformedFile): Promise<void> {
  await page.goto(path)
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

/** Checks that axe and the layout checks find no faults, and saves a screenshot for inspection. */
async function checkPage(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, name)
  expect(await faultsOf(page, { alsoAt: [1280] }), name).toEqual([])
}

describe('a file of readers', () => {
  it('goes through all five screens though it is malformed, has its rejected rows returned, and is undone', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/uploadadditional/${publicationId}`)
        await checkPage(page, 'upload-choose')
        const [template] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Download the CSV template' }).click(),
        ])
        expect(template.suggestedFilename()).toBe('reader-upload-template.csv')

        await upload(page, `/uploadadditional/${publicationId}`, malformedFile)
        await page.getByText('The columns have been matched by their names and values').waitFor()
        for (const [column, field] of [
          ['Ref', 'UniqueReference'],
          ['Surname', 'LastName'],
          ['First name', 'FirstName'],
          ['Mail', 'Email'],
          ['Post Town', 'City'],
          ['Expiry date', 'SubExpiry'],
          ['Vermerk', ''],
        ] as const)
          await expect.poll(() => page.getByLabel(column, { exact: true }).inputValue()).toBe(field)
        await page.getByText('Müller', { exact: true }).waitFor()
        await checkPage(page, 'upload-columns')
        await page.getByRole('button', { name: 'Next row' }).click()
        await page.getByText('ann(at)example.org', { exact: true }).waitFor()
        await page.getByLabel('Vermerk').selectOption('LastName')
        await page.getByText('LastName is already taken by the column "Surname"').waitFor()
        await page.getByLabel('Vermerk').selectOption('SubHistory')
        await page.getByRole('button', { name: 'Check the file' }).click()

        await page.getByRole('heading', { name: 'Will add 2, reject 5' }).waitFor()
        await page.getByText('“31/02/2027”').first().waitFor()
        await checkPage(page, 'upload-preview')
        expect(await lastNamesByReference()).toEqual(initialReaders)
        await page.getByRole('button', { name: 'Add 2 readers' }).click()
        await page
          .getByText('Additional data file successfully uploaded. Processing data. This may take a while.')
          .first()
          .waitFor()

        await page.getByRole('heading', { name: 'The import is done' }).waitFor()
        await page.getByText('Why rows were rejected').waitFor()
        await checkPage(page, 'upload-report')
        expect(await lastNamesByReference()).toEqual({ ...initialReaders, U1: 'Müller', U6: 'Good' })
        // On a phone the toast covers the end of the page.
        await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Close', exact: true }).first().click()
        const [rejectedRows] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Download rejected rows' }).click(),
        ])
        expect(rejectedRows.suggestedFilename()).toBe('Abonnenten März.rejected.csv')

        await page.getByRole('button', { name: 'Undo this import' }).click()
        const question = page.getByRole('alertdialog', { name: 'Undo this import?' })
        await checkPage(page, 'upload-undo')
        await question.getByRole('button', { name: 'Undo this import' }).click()
        await page.getByRole('heading', { name: 'The import was undone' }).waitFor()
        expect(await lastNamesByReference()).toEqual(initialReaders)
        await page.goto(`/managedata/imports/${publicationId}`)
        await page.getByText('Undone', { exact: true }).waitFor()
        await checkPage(page, 'imports')
      },
      { width: 360 },
    ))

  it('that replaces all readers is confirmed with the specified wording and by typing the handle', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        const text = 'UniqueReference,LastName,Email\nG1,Penrose-Hill,penrose@example.org\nN1,New,new@example.org\n'
        await upload(page, `/uploadreplacement/${publicationId}`, csvFile('all.csv', text))
        await page.getByRole('heading', { name: 'Will add 1, update 1, remove 2, reject 0' }).waitFor()
        await page.getByRole('link', { name: 'Replace all readers…' }).click()
        const question = page.getByRole('alertdialog', { name: 'Confirm Replacement of your Reader Dataset?' })
        await question
          .getByText('All of the existing Reader data in the system will be deleted and replaced by clicking OK')
          .waitFor()
        await question.getByText('A backup of the 3 readers that are changed or removed is kept for 30 days').waitFor()
        await expect
          .poll(() =>
            question.getByRole('button', { name: 'Cancel' }).evaluate((button) => button === document.activeElement),
          )
          .toBe(true)
        await checkPage(page, 'upload-replace')
        await question.getByRole('button', { name: 'OK, replace all readers' }).click()
        await question.getByText(`Type ${urlKey()} to replace all readers`).waitFor()
        await page.waitForFunction(() => document.activeElement?.id === 'field-handle')
        expect(await lastNamesByReference()).toEqual(initialReaders)
        await question.getByLabel(`Type ${urlKey()} to confirm`).fill(urlKey())
        await question.getByRole('button', { name: 'OK, replace all readers' }).click()
        // The import succeeded: the page redirects to Manage Data, as specified.
        await arrived(page, `**/managedata?publication=${publicationId}`)
        expect(await lastNamesByReference()).toEqual({ G1: 'Penrose-Hill', N1: 'New' })
        await page.getByRole('heading', { name: 'Last import' }).waitFor()
        await takeScreenshot(page, 'upload-last-import')
      },
      { width: 360 },
    ))
})

describe('an upload', () => {
  it('is found again on return, and blocks a second one', () =>
    asRole('publisher', async ({ page }) => {
      await upload(
        page,
        `/uploadaddandcombine/${publicationId}`,
        csvFile('mixed.csv', 'UniqueReference,Email,Foo\nG1,new@example.org,x\n'),
      )
      await page.getByText('The columns have been matched by their names and values').waitFor()
      await page.goto(`/uploadadditional/${publicationId}`)
      await page.getByText('The upload of “mixed.csv” is not finished').waitFor()
      await page.getByRole('link', { name: 'Go to the upload' }).click()
      await page.getByText('The columns have been matched by their names and values').waitFor()
      // The page of this kind of upload redirects there.
      await page.goto(`/uploadaddandcombine/${publicationId}`)
      await page.getByRole('button', { name: 'Check the file' }).click()
      await page.getByRole('heading', { name: 'Will add 0, update 1, reject 0' }).waitFor()
      await page.reload()
      await page.getByRole('link', { name: 'Add and combine…' }).click()
      const question = page.getByRole('alertdialog', { name: 'Confirm Add And Combine of your entire Reader Dataset?' })
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Cancel the upload' }).click()
      await page.getByText('Upload cancelled').first().waitFor()
      expect(await lastNamesByReference()).toEqual(initialReaders)
    }))

  it('that is not a reader file shows the reason next to the field, with the specified wording', () =>
    asRole('publisher', async ({ page }) => {
      await upload(page, `/uploadadditional/${publicationId}`, csvFile('readers.xlsx', 'x'))
      await page.getByText('Invalid file type').first().waitFor()
      await upload(page, `/uploadadditional/${publicationId}`, csvFile('book.csv', 'PK\x03\x04 and more'))
      await page.getByText('Additional Reader data failed due to data errors').first().waitFor()
      await page
        .getByText('This is usually caused by incorrect headers in the CSV file. Please fix the errors and retry')
        .first()
        .waitFor()
      await page.getByText('"book.csv" is not a CSV file: it is an Excel workbook or a zip file').first().waitFor()
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'upload-refused')
    }))

  it('works using only the keyboard', () =>
    asRole('publisher', async ({ page }) => {
      await upload(page, `/uploadadditional/${publicationId}`, csvFile('few.csv', 'UniqueReference,LastName\nK1,Key\n'))
      const addButton = page.getByRole('button', { name: 'Add 1 reader' })
      await addButton.waitFor()
      await addButton.focus()
      await page.keyboard.press('Enter')
      await arrived(page, `**/managedata?publication=${publicationId}`)
      expect(await lastNamesByReference()).toMatchObject({ K1: 'Key' })
    }))

  it('works when no script runs', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/uploadreplacement/${publicationId}?target=imported`)
        await page.getByLabel('CSV file').setInputFiles(csvFile('few.csv', 'UniqueReference,LastName\nG1,Renamed\n'))
        await loadAfter(page, () => page.getByRole('button', { name: 'Upload', exact: true }).click())
        await server.jobsDone()
        await page.reload()
        await page.getByRole('heading', { name: 'Will add 0, update 1, remove 2, reject 0' }).waitFor()
        await page.getByRole('link', { name: 'Replace imported readers…' }).click()
        await page
          .getByText(
            'All of the existing imported Reader data in the system will be deleted and replaced by clicking OK',
          )
          .waitFor()
        await loadAfter(page, () => page.getByRole('button', { name: 'OK, replace imported readers' }).click())
        await server.jobsDone()
        await page.reload()
        await page.getByRole('heading', { name: 'The import is done' }).waitFor()
        expect(await lastNamesByReference()).toEqual({ G1: 'Renamed' })
      },
      { javaScriptEnabled: false },
    ))
})

describe('the postcodes page', () => {
  it('accepts a file, shows what is in use with its rejected rows, and removes it', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await makeReader(server.services, publicationId, { postCode: 'M1 1AE' })
        const path = `/uploadpostcodes/?publication=${publicationId}`
        await page.goto(path)
        await checkPage(page, 'postcodes-choose')
        await upload(page, path, csvFile('codes.csv', 'PostCode\nSW1A 1AA\nnonsense\n'))
        await page
          .getByText('Postcode data file successfully uploaded. Processing data. This may take a while')
          .first()
          .waitFor()
        await page.getByText('1 postcode from codes.csv').waitFor()
        await page.getByText('It changed the postcode state of 1 reader.').waitFor()
        await page.getByText('1 row was rejected').click()
        await page.getByText('“nonsense” is not a postcode').waitFor()
        await checkPage(page, 'postcodes-in-use')
        // Without the publication in the address the first one is shown.
        await server.services.db.run(`UPDATE publications SET publication_name = 'A first title' WHERE id = :id`, {
          id: publicationId,
        })
        await page.goto('/uploadpostcodes')
        await page.getByRole('button', { name: 'Remove the postcodes' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Remove postcodes' }).click()
        await page.getByText('1 postcode removed').first().waitFor()
        await upload(page, path, csvFile('bad.csv', 'PostCode\nnobody\n'))
        await page.getByText('Reader data failed due to data errors').first().waitFor()
        await upload(page, path, csvFile('codes.csv', 'PostCode\nM1 1AE\n'))
        await arrived(page, `**/managedata?publication=${publicationId}`)
      },
      { width: 360 },
    ))
})
