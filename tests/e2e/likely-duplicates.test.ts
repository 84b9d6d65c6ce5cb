import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { contextFor } from '#core/context.ts'
import { findLikelyDuplicates } from '#core/duplicates/find-likely-duplicates.ts'
import { faultsOf, layoutFaultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { someStoppedBatch } from '#tests/support/merges.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })

let publicationId = 0
let readers: Record<'kept' | 'gone' | 'ann' | 'annByInitial' | 'joan', number>

beforeEach(async () => {
  const { services } = server
  const [{ id: publisherId } = { id: 0 }] = await services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(services, { publisherId, publicationName: 'The Gardener' })).id
  const robert = {
    firstName: 'Robert',
    lastName: 'Thompson',
    addressOne: '14 Mill Street',
    city: 'Fowey',
    postCode: 'PL23 1AQ',
  }
  const ann = { firstName: 'Ann', lastName: 'Penrose', addressOne: '2 Quay', city: 'Fowey', postCode: 'PL23 1AT' }
  const make = (fields: Parameters<typeof makeReader>[2]) => makeReader(services, publicationId, fields)
  readers = {
    kept: await make({ ...robert, email: 'bob@example.org', subPaid: 2400, subEndOn: '2027-03-31' }),
    gone: await make({
      ...robert,
      lastName: 'Thomson',
      addressOne: '14 Mill St',
      email: 'bob@example.org',
      telephone: '01726 100200',
    }),
    ann: await make(ann),
    annByInitial: await make({ ...ann, firstName: 'A', jobTitle: 'Head gardener' }),
    joan: await make({ ...robert, title: 'Mrs', firstName: 'Joan' }),
  }
})

/** Searches the publication and opens its page; the first test searches it by the button instead. */
async function openSearched(page: Page) {
  const { services } = server
  const [publication] = await services.db.query<{ publisher_id: number }>(
    `SELECT publisher_id FROM publications WHERE id = :publicationId`,
    { publicationId },
  )
  const publisher = await actorOf(services, 'publisher', publication?.publisher_id)
  await findLikelyDuplicates(contextFor(services, publisher, { entryPoint: 'test' }), { publicationId })
  await server.jobsDone()
  await page.goto(`/managedata/likely/${publicationId}`)
  await page.getByText('5 active readers searched').waitFor()
}

const groupCard = (page: Page, name: string) => page.locator('li.card', { has: page.getByRole('heading', { name }) })

describe('likely duplicates', () => {
  it('are searched by the worker, shown with reasons, merged as chosen, and restored', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/managedata/likely/${publicationId}`)
      await page.getByText('This publication has not been searched yet').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Search for likely duplicates' }).click()
      await page.getByText('5 active readers searched').waitFor()
      const card = groupCard(page, 'Robert Thompson')
      // A collapsed card shows the reasons and the buttons within a few lines.
      expect((await card.boundingBox())?.height).toBeLessThanOrEqual(200)
      await card.getByText('Compare', { exact: true }).click()
      for (const text of ['same email', 'similar surname: Thompson / Thomson', 'Print to 31/03/2027, £24.00'])
        await card.getByText(text).first().waitFor()
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'likely-1280')
      // The paid record is kept, but with the other one's spelling of the surname.
      await card.getByRole('group', { name: 'Last name' }).getByLabel('Thomson').check()
      await card.getByRole('button', { name: 'Merge 2 records' }).click()
      await page.getByText('2 records merged into one reader').first().waitFor()
      expect(await readerRow(server.services, readers.kept)).toMatchObject({
        last_name: 'Thomson',
        telephone: '01726 100200',
        sub_paid: 2400,
      })
      expect(await readerRow(server.services, readers.gone)).toBeUndefined()
      await card.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Merged' }).click()
      await page.getByRole('button', { name: /^Undo the merge of/ }).click()
      await page.getByText('Merge undone: 1 reader restored').first().waitFor()
      expect(await readerRow(server.services, readers.gone)).toMatchObject({ last_name: 'Thomson' })
      expect(await readerRow(server.services, readers.kept)).toMatchObject({ last_name: 'Thompson', telephone: '' })
      expect(await faultsOf(page)).toEqual([])
    }))

  it('marked as different are not listed again', () =>
    asRole('publisher', async ({ page }) => {
      await openSearched(page)
      await groupCard(page, 'Ann Penrose').getByRole('button', { name: 'Not duplicates' }).click()
      await page.getByText('Marked as different readers').first().waitFor()
      await page.getByRole('button', { name: 'Search again' }).click()
      await page.getByText('Search requested').first().waitFor()
      await server.jobsDone()
      await page.reload()
      await groupCard(page, 'Robert Thompson').waitFor()
      await expect.poll(() => groupCard(page, 'Ann Penrose').count()).toBe(0)
    }))

  it('above a confidence level are merged together after a preview, and undone as one', () =>
    asRole('publisher', async ({ page }) => {
      await openSearched(page)
      await page.getByLabel('Merge all groups that are').selectOption('0.9')
      await page.getByRole('button', { name: 'Preview', exact: true }).click()
      await page.getByRole('heading', { name: 'Merge 2 groups?' }).waitFor()
      await page.getByText('2 records are merged into others').waitFor()
      await page.getByRole('button', { name: 'Merge 2 groups' }).click()
      await page.getByText('2 groups are being merged').first().waitFor()
      await server.jobsDone()
      expect(await readerRow(server.services, readers.gone)).toBeUndefined()
      // The more complete record is kept, with the full name.
      expect(await readerRow(server.services, readers.ann)).toBeUndefined()
      expect(await readerRow(server.services, readers.annByInitial)).toMatchObject({ first_name: 'Ann' })
      await page.goto(`/managedata/likely/${publicationId}?view=merged`)
      await page.getByRole('button', { name: 'Undo the merge of 2 groups' }).click()
      await page.getByText('The bulk merge is being undone').first().waitFor()
      await server.jobsDone()
      await page.reload()
      await page.getByText('Undone', { exact: true }).waitFor()
      expect(await readerRow(server.services, readers.gone)).toBeDefined()
      expect(await readerRow(server.services, readers.annByInitial)).toMatchObject({
        first_name: 'A',
        job_title: 'Head gardener',
      })
      expect(await readerRow(server.services, readers.ann)).toBeDefined()
    }))

  it('whose merges were interrupted are resumed', () =>
    asRole('publisher', async ({ page }) => {
      await someStoppedBatch({ fixture: server, tenant: { publicationId, marker: 'Stopped' } })
      await page.goto(`/managedata/likely/${publicationId}?view=merged`)
      await page.getByRole('button', { name: 'Resume the bulk merge that has merged 0 groups' }).click()
      await page.getByText('The bulk merge was resumed').first().waitFor()
      await server.jobsDone()
      await page.reload()
      await page.getByRole('button', { name: 'Undo the merge of 1 group' }).waitFor()
      await expect.poll(() => page.getByRole('button', { name: /^Resume/ }).count()).toBe(0)
    }))

  it('that somebody changed meanwhile are not merged, and a message says so', () =>
    asRole('publisher', async ({ page }) => {
      await openSearched(page)
      await server.services.db.run(`UPDATE readers SET version = version + 1 WHERE id = :id`, { id: readers.gone })
      await groupCard(page, 'Robert Thompson').getByRole('button', { name: 'Merge 2 records' }).click()
      await page.getByRole('alert').getByText('1 of these readers was changed since you opened this group').waitFor()
      expect(await readerRow(server.services, readers.gone)).toBeDefined()
      await page.reload()
      await page.getByText('Changed since the search').waitFor()
    }))

  it('can be read on a phone', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await openSearched(page)
        expect(await faultsOf(page)).toEqual([])
        expect((await groupCard(page, 'Robert Thompson').boundingBox())?.height).toBeLessThanOrEqual(200)
        await takeScreenshot(page, 'likely-360')
        // A very long name and the note about a change since the search fit as well.
        const { db } = server.services
        await db.run(`UPDATE readers SET version = version + 1, full_name = :name WHERE id = :id`, {
          id: readers.gone,
          name: 'Robert Ferdinand Alexander Thomson of the Old Mill at Fowey '.repeat(3).trim(),
        })
        await page.reload()
        const changed = page.locator('li.card').filter({ hasText: 'Changed since the search' })
        expect((await changed.boundingBox())?.height).toBeLessThanOrEqual(200)
        expect(await layoutFaultsOf(page)).toEqual([])
        await groupCard(page, 'Ann Penrose').getByRole('button', { name: 'Merge 2 records' }).click()
        await page.getByText('2 records merged into one reader').first().waitFor()
        await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).first().click()
        await page.getByText('Merge undone: 1 reader restored').first().waitFor()
        await page.setViewportSize({ width: 320, height: 800 })
        expect(await layoutFaultsOf(page)).toEqual([])
      },
      { width: 360 },
    ))
})
