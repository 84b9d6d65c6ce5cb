import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { dedupeLikely } from '#core/duplicates/dedupe-likely.ts'
import { arrived, faultsOf, layoutFaultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { copyReader, makeReader } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })

let exactId = 0
let likelyId = 0
const exactPairs = 300
const likelyPairs = 100

/** Pairs of readers with consecutive ids who share an email; all readers are alike but for the email, job title and reference. */
async function makePairs(publicationName: string, pairs: number): Promise<number> {
  const { services } = server
  const [{ id: publisherId } = { id: 0 }] = await services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  const { id: publicationId } = await makePublication(services, { publisherId, publicationName })
  const id = await makeReader(services, publicationId, {
    firstName: 'Ida',
    lastName: 'Finch',
    addressOne: '7 Quay',
    city: 'Fowey',
    postCode: 'PL23 1AT',
    subType: 'print',
    subEndOn: '2099-12-31',
  })
  await copyReader(services, id, 2 * pairs - 1)
  const email = `'ida' || (10000 + (id - :id) / 2) || '@example.org'`
  await services.db.run(
    `UPDATE readers SET email = ${email}, key_email = ${email},
       job_title = CASE WHEN (id - :id) % 2 = 1 THEN 'Head gardener' ELSE '' END WHERE publication_id = :publicationId`,
    { id, publicationId },
  )
  return publicationId
}

beforeAll(async () => {
  exactId = await makePairs('The Gardener', exactPairs)
  likelyId = await makePairs('The Angler', likelyPairs)
  const { db } = server.services
  // A finished search whose groups are made here: the search has tests of its own.
  const ctx = server.as(operator)
  await dedupeLikely(ctx, { publicationId: likelyId })
  const params = { publicationId: likelyId }
  await db.run(
    `DELETE FROM likely_members WHERE group_id IN (SELECT id FROM likely_groups WHERE publication_id = :publicationId)`,
    params,
  )
  await db.run(`DELETE FROM likely_groups WHERE publication_id = :publicationId`, params)
  await db.run(
    `INSERT INTO likely_groups (search_id, publication_id, confidence, shipped, members)
     SELECT (SELECT MAX(id) FROM likely_searches WHERE publication_id = :publicationId), publication_id, 0.98, 0.98, 2 FROM readers
     WHERE publication_id = :publicationId AND job_title = ''`,
    params,
  )
  await db.run(
    `INSERT INTO likely_members (group_id, reader_id, version, fit, reasons)
     SELECT g.id, r.id, r.version, 0.98, '["same email"]'
     FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM likely_groups WHERE publication_id = :publicationId) g
       JOIN (SELECT id, version, (ROW_NUMBER() OVER (ORDER BY id) + 1) / 2 AS n FROM readers WHERE publication_id = :publicationId) r ON r.n = g.n`,
    params,
  )
})

const countReaders = async (publicationId: number) => {
  const sql = `SELECT count(*) AS n FROM readers WHERE publication_id = :publicationId`
  const [row] = await server.services.db.query<{ n: number }>(sql, { publicationId })
  return Number(row?.n)
}
const groups = (page: Page) => page.locator('main [data-item]')
const focusedItem = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-item') ?? '')

describe('exact duplicates', () => {
  it('are processed by keyboard: 300 groups with ten keys, and in more than one way', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/managedata?publication=${exactId}&view=duplicateemails&size=25`)
      await page.getByRole('heading', { name: 'Emails 300' }).waitFor()
      const keys = await groups(page).evaluateAll((all) => all.map((item) => item.getAttribute('data-item')))
      // The keys work anywhere on the page, but not while the user is typing, and not with a modifier.
      await page.keyboard.press('Control+j')
      expect(await focusedItem(page)).toBe('')
      await page.keyboard.press('j')
      expect(await focusedItem(page)).toBe(keys[0])
      await page.keyboard.press('j')
      expect(await focusedItem(page)).toBe(keys[1])
      await page.keyboard.press('k')
      const search = page.getByRole('searchbox', { name: 'Search readers, titles and orders' })
      await search.focus()
      await page.keyboard.type('jm')
      expect(await search.inputValue()).toBe('jm')
      // The keys are turned off, for speech input for example, and on again.
      await page.getByRole('button', { name: 'Turn shortcuts off' }).click()
      await page.keyboard.press('j')
      await page.keyboard.press('/')
      expect(await focusedItem(page)).toBe('')
      await page.getByRole('button', { name: 'Turn shortcuts on' }).click()
      await page.keyboard.press('/')
      expect(await search.evaluate((box) => box === document.activeElement)).toBe(true)
      await page.getByLabel('All 25 groups on this page').focus()
      await page.keyboard.press('k')
      expect(await focusedItem(page)).toBe(keys[0])
      await page.keyboard.press('Enter')
      await groups(page).first().getByText('Keep the record of').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'workbench-groups-1280')
      // The group is merged as proposed, and the next one gets the focus.
      await page.keyboard.press('m')
      await page.getByText('2 records merged into one reader').first().waitFor()
      await page.getByRole('heading', { name: 'Emails 299' }).waitFor()
      expect(await focusedItem(page)).toBe(keys[1])
      await page.keyboard.press('x')
      await page.getByText('1 group selected').waitFor()
      await page.getByRole('checkbox', { name: 'All 25 groups on this page' }).press('Space')
      await page.getByRole('button', { name: 'Select all 299' }).press('Enter')
      await page.getByRole('button', { name: 'Merge 299 groups' }).press('Enter')
      const question = page.getByRole('alertdialog', { name: 'Merge 299 groups?' })
      await question.getByRole('button', { name: 'Merge 299 groups' }).press('Enter')
      await page.getByText('299 groups merged').first().waitFor()
      expect(await countReaders(exactId)).toBe(exactPairs)
      await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).first().press('Enter')
      await page.getByText('The bulk merge is being undone').first().waitFor()
      await server.jobsDone()
      expect(await countReaders(exactId)).toBe(2 * exactPairs - 1)
    }))

  it('say at the group why M does not merge it', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/managedata?publication=${exactId}&view=duplicatepostcode`)
      const message = groups(page).first().getByRole('status')
      // The first M focuses the group, the next would merge it.
      await page.keyboard.press('m')
      expect(await focusedItem(page)).not.toBe('')
      expect(await message.textContent()).toBe('')
      await page.keyboard.press('m')
      await message
        .getByText(/^Only the first 20 of its [\d,]+ readers are shown, so it cannot be merged here/)
        .waitFor()
      expect(await faultsOf(page)).toEqual([])
    }))

  it('can be processed on a phone', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/managedata?publication=${exactId}&view=duplicateemails`)
        await page.getByRole('checkbox', { name: 'All 10 groups on this page' }).check()
        expect(await faultsOf(page)).toEqual([])
        await takeScreenshot(page, 'workbench-groups-360')
        await page.getByRole('button', { name: 'Merge 10 groups' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Merge 10 groups' }).click()
        await page.getByText('10 groups merged').first().waitFor()
        // A selection of all readers is kept across pages, and ends when its filter is removed.
        await page.goto(`/managedata?publication=${exactId}&view=all&q=ida1001`)
        const allOnPage = page.getByRole('checkbox', { name: /^All \d+ readers on this page/ })
        await allOnPage.check()
        await page.getByRole('button', { name: /^Select all \d+/ }).click()
        await page.getByText(/^(19|20) readers selected/).waitFor()
        await page.getByRole('link', { name: 'Next page' }).click()
        await arrived(page, (url) => url.searchParams.get('page') === '2')
        await expect.poll(() => allOnPage.isChecked()).toBe(true)
        await page.getByRole('link', { name: 'Remove the filter “ida1001”' }).click()
        await arrived(page, (url) => !url.searchParams.has('q'))
        await expect.poll(() => page.getByText(/readers? selected/).count()).toBe(0)
        await page.goto(`/managedata?publication=${exactId}&view=all`)
        await page
          .getByRole('checkbox', { name: /^Select Ida Finch/ })
          .first()
          .check()
        expect(await layoutFaultsOf(page)).toEqual([])
        await takeScreenshot(page, 'workbench-readers-360')
        await page.getByRole('button', { name: 'Remove 1 reader' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Remove 1 reader' }).click()
        await page.getByText('1 reader removed').first().waitFor()
        await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).first().click()
        await page.getByText('1 reader restored').first().waitFor()
      },
      { width: 360 },
    ))
})

describe('likely duplicates', () => {
  it('are processed by keyboard, one by one and the rest together', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/managedata/likely/${likelyId}?size=25`)
      const keys = await groups(page).evaluateAll((all) => all.map((item) => item.getAttribute('data-item')))
      for (const [key, index] of [
        ['j', 0],
        ['j', 1],
        ['k', 0],
      ] as const) {
        await page.keyboard.press(key)
        expect(await focusedItem(page)).toBe(keys[index])
      }
      await page.keyboard.press('Enter')
      await groups(page).first().getByText('Keep the record of').waitFor()
      for (const remaining of [99, 98, 97]) {
        await page.keyboard.press('m')
        await page.getByRole('heading', { name: `Likely duplicates ${remaining}` }).waitFor()
      }
      expect(await focusedItem(page)).toBe(keys[3])
      expect(await countReaders(likelyId)).toBe(2 * likelyPairs - 3)
      const level = page.getByLabel('Merge all groups that are')
      await level.press('ArrowUp')
      await expect.poll(() => level.inputValue()).toBe('0.99')
      await level.press('ArrowDown')
      await expect.poll(() => level.inputValue()).toBe('0.97')
      await page.getByRole('button', { name: 'Preview', exact: true }).press('Enter')
      await page.getByRole('button', { name: 'Merge 97 groups' }).press('Enter')
      await page.getByText('97 groups are being merged').first().waitFor()
      await server.jobsDone()
      expect(await countReaders(likelyId)).toBe(likelyPairs)
    }))
})
