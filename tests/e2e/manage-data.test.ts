import { readFileSync } from 'node:fs'
import type { Page, Response } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { AddressMarks } from '#core/bounces/address-marks.rows.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { listFixes } from '#core/fixes/list-fixes.query.ts'
import { addDays } from '#core/kernel/calendar.ts'
import type { ReaderRow } from '#core/readers/readers.rows.ts'
import { duplicateLists, warnings } from '#core/warnings/warnings.rules.ts'
import { arrived, faultsOf, followTo, layoutFaultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makePublication, makeUser, operator } from '#tests/support/factories.ts'
import { fillDisk } from '#tests/support/full-disk.ts'
import { focusedText } from '#tests/support/page-facts.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole, asUser } = openVisits({ worker: true })

let publicationId = 0
let readers: Record<'noFullName' | 'fullNameOnly' | 'oneLine' | 'hopeless' | 'ann' | 'anne' | 'noCode', number>

const today = new Date().toISOString().slice(0, 10)
const validFields = {
  title: 'Ms',
  firstName: 'Ida',
  lastName: 'Finch',
  fullName: 'Ms Ida Finch',
  addressOne: '7 Quay',
  city: 'Fowey',
  postCode: 'PL23 1AX',
  subEndOn: addDays(today, 400),
}

beforeEach(async () => {
  const { services } = server
  const [{ id: publisherId } = { id: 0 }] = await services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(services, { publisherId, publicationName: 'The Gardener' })).id
  const makeValidReader = (fields: Partial<ReaderRow>) =>
    makeReader(services, publicationId, { ...validFields, ...fields })
  const annLee = {
    fullName: 'Ms Ann Lee',
    firstName: 'Ann',
    lastName: 'Lee',
    addressOne: '1 Hill',
    email: 'ann@example.org',
  }
  readers = {
    noFullName: await makeValidReader({ fullName: '', postCode: 'PL23 1AB' }),
    fullNameOnly: await makeValidReader({
      title: '',
      firstName: '',
      lastName: '',
      fullName: 'Dr Jan van der Berg',
      postCode: 'PL23 1AD',
    }),
    oneLine: await makeValidReader({
      addressOne: '14 Mill Street, Fowey, PL23 1AQ',
      city: '',
      postCode: 'PL23 1AQ',
      fullName: 'Bob Mill',
    }),
    hopeless: await makeValidReader({ addressOne: '12', fullName: 'Cy Lone', postCode: 'PL23 1AE' }),
    ann: await makeValidReader({ ...annLee, postCode: 'PL23 1AT' }),
    noCode: await makeValidReader({ postCode: '', addressOne: '9 Quay', fullName: 'No Code' }),
    anne: await makeValidReader({ ...annLee, title: '', fullName: 'ms ANN lee', postCode: 'pl231at' }),
  }
  await makeValidReader({ postCode: 'ZZ99 9ZZ', addressOne: '9 Quay', fullName: 'Bad Code' })
  await makeValidReader({ subEndOn: addDays(today, 10), fullName: 'Ending Soon', postCode: 'PL23 1AF' })
  await makeValidReader({ subEndOn: addDays(today, -10), fullName: 'Just Ended', postCode: 'PL23 1AG' })
  await makeValidReader({ email: 'lost@example.org', fullName: 'No Mail', postCode: 'PL23 1AH' })
  await AddressMarks.insertNew(services, { publisherId, addressKey: 'lost@example.org', bouncedAt: services.now() })
})

const openManageData = async (page: Page, more = '') => {
  await page.goto(`/managedata?publication=${publicationId}${more}`)
}
/** A list's entry, by its name and count, in the list of lists. */
const listItem = (page: Page, name: string, count: number | string = '[\\d,]+') =>
  page.getByRole('listitem').filter({ hasText: new RegExp(`^(View )?(Duplicates: )?${name}${count}$`) })
const listRegion = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name} \\d`) })
const isReload = (response: Response) =>
  response.request().method() === 'GET' && new URL(response.url()).pathname === '/managedata.data'
const expectedCounts: Record<string, number> = {
  nofullname: 1,
  nofirstname: 1,
  expirednextthirty: 1,
  expiredsubscriber: 1,
  expiredlastthirty: 1,
  nopostcode: 1,
  badpostcodes: 1,
  badaddressdata: 2,
  bouncedemails: 1,
  duplicatefullname: 1,
  duplicatelastname: 1,
  duplicatepostcode: 1,
  duplicateaddress: 1,
  duplicateemails: 1,
}

describe('Manage Data', () => {
  it('shows each warning and each kind of duplicates with its count and, one at a time, its list', () =>
    asRole('publisher', async ({ page }) => {
      await openManageData(page)
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'manage-data-1280')
      for (const { key, label } of [...warnings, ...duplicateLists]) {
        // Counts that take longer than the page waits are shown a moment later.
        await listItem(page, label, expectedCounts[key]).getByRole('link').click()
        await listRegion(page, label).waitFor()
        await expect.poll(() => page.locator('#list').count(), { message: label }).toBe(1)
        await expect
          .poll(() => page.locator('#list [data-item]').count(), { message: label })
          .toBeGreaterThanOrEqual(expectedCounts[key] ?? 0)
        expect(await layoutFaultsOf(page), label).toEqual([])
      }
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'manage-data-duplicates-1280')
      // Next to the lists, visible without scrolling.
      expect((await page.locator('#list-heading').boundingBox())?.y).toBeLessThan(400)
      await openManageData(page)
      await page.getByRole('link', { name: 'View All Reader Data: The Gardener' }).click()
      await listRegion(page, 'All readers').waitFor()
      await expect.poll(() => page.locator('#list tbody tr').count()).toBe(10)
    }))

  it('fits every list of the demo next to the warnings at laptop width', () =>
    asRole('publisher', async ({ page }) => {
      await openManageData(page)
      for (const { key, label } of warnings) {
        await followTo(page, `/managedata?view=${key}&size=100`)
        await listRegion(page, label).waitFor()
        const tables = page.locator('#list section:has(> table)')
        expect(await tables.count(), label).toBe(key === 'bouncedemails' ? 0 : 1)
        const overflows = await tables.evaluateAll((boxes) => boxes.map((box) => box.scrollWidth - box.clientWidth))
        expect(
          overflows.filter((width) => width > 0),
          label,
        ).toEqual([])
      }
    }))

  it('is usable on a phone', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await openManageData(page)
        await takeScreenshot(page, 'manage-data-360')
        await listItem(page, 'Address Format').getByRole('link').click()
        await listRegion(page, 'Address Format').waitFor()
        // The list replaces the list of lists, and has a link back to it.
        await expect.poll(() => listItem(page, 'Emails').isVisible()).toBe(false)
        expect(await faultsOf(page)).toEqual([])
        await takeScreenshot(page, 'manage-data-list-360')
        const firstRow = page.locator('#list tbody tr').first()
        for (const [order, name] of Object.entries({ descending: 'Cy Lone', ascending: 'Bob Mill' })) {
          await page.getByLabel('Sort by').selectOption(`Full Name, ${order}`)
          await firstRow.getByText(name).first().waitFor()
          await arrived(page, /view=badaddressdata.*sort=-?name/)
        }
        // The headings' links, which the select replaces, cannot be reached by the Tab key.
        const headings = page.getByRole('columnheader', { name: 'Full Name' })
        expect(await headings.count()).toBe(1)
        expect(await headings.getByRole('link').count()).toBe(0)
        await page.getByRole('link', { name: 'All warnings' }).click()
        for (const { key, label } of [...warnings, ...duplicateLists]) {
          await listItem(page, label, expectedCounts[key]).getByRole('link').click()
          await listRegion(page, label).waitFor()
          await expect.poll(() => page.locator('#list [data-item]').count(), { message: label }).toBeGreaterThan(0)
          expect(await layoutFaultsOf(page), label).toEqual([])
          await page.getByRole('link', { name: 'All warnings' }).click()
        }
        await listItem(page, 'Emails').waitFor()
        // One list, the longest first; lists that are not searched yet come last.
        const totals = (await page.getByRole('listitem').allInnerTexts()).flatMap((text) => /\d+$/.exec(text) ?? [])
        expect(totals.map(Number)).toEqual(totals.map(Number).sort((a, b) => b - a))
        await openManageData(page, '&view=duplicateemails')
        expect(await faultsOf(page)).toEqual([])
        await page.locator('#list').scrollIntoViewIfNeeded()
        await takeScreenshot(page, 'manage-data-duplicates-360')
        await openManageData(page, '&view=nofirstname&fix=name-fields')
        expect(await faultsOf(page)).toEqual([])
      },
      { width: 360 },
    ))

  it('sorts on a phone without JavaScript, by a button', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/managedata?publication=${publicationId}&view=badaddressdata`)
        const firstRow = page.locator('#list tbody tr').first()
        for (const [order, name] of Object.entries({ descending: 'Cy Lone', ascending: 'Bob Mill' })) {
          await page.getByLabel('Sort by').selectOption(`Full Name, ${order}`)
          await page.getByRole('button', { name: 'Sort', exact: true }).click()
          await arrived(page, /view=badaddressdata.*sort=-?name/)
          await firstRow.getByText(name).first().waitFor()
        }
      },
      { width: 360, javaScriptEnabled: false },
    ))

  it('fixes a list of names after showing before and after, and undoes it', () =>
    asRole('publisher', async ({ page }) => {
      await openManageData(page, '&view=nofirstname')
      await page.getByRole('link', { name: 'Auto Fix Empty Name Fields' }).click()
      const preview = page.getByRole('region', { name: 'Auto Fix: Empty Name Fields' })
      await preview.getByRole('cell', { name: 'van der Berg', exact: true }).waitFor()
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'manage-data-fix-1280')
      await preview.getByRole('button', { name: 'Fix 1 reader' }).click()
      await page.getByText('1 reader fixed', { exact: true }).first().waitFor()
      expect(await readerRow(server.services, readers.fullNameOnly)).toMatchObject({
        title: 'Dr',
        first_name: 'Jan',
        last_name: 'van der Berg',
      })
      await page.getByText('There were no readers found for your search query').waitFor()
      await listItem(page, 'Empty Name Fields', 0).waitFor()
      await expect.poll(() => listItem(page, 'Empty Name Fields', 0).getByRole('link').count()).toBe(0)
      await page.getByRole('button', { name: /^Undo Empty Name Fields/ }).click()
      await page.getByText('Undone: 1 reader is restored').first().waitFor()
      expect(await readerRow(server.services, readers.fullNameOnly)).toMatchObject({ first_name: '', last_name: '' })
      expect(await faultsOf(page)).toEqual([])
      // The same fix for ticked readers.
      await page.getByRole('checkbox', { name: 'Select Dr Jan van der Berg' }).check()
      await page.getByRole('link', { name: 'Fix 1 reader' }).click()
      await preview.getByRole('cell', { name: 'van der Berg', exact: true }).waitFor()
      await page.waitForFunction(() => document.activeElement?.id === 'auto-fix')
      expect(await faultsOf(page)).toEqual([])
      await preview.getByRole('link', { name: 'Cancel' }).click()
      await preview.waitFor({ state: 'detached' })
      expect(await readerRow(server.services, readers.fullNameOnly)).toMatchObject({ first_name: '', last_name: '' })
      await page.getByRole('link', { name: 'Fix 1 reader' }).click()
      await preview.getByRole('button', { name: 'Fix 1 reader' }).click()
      await page.getByText('There were no readers found for your search query').waitFor()
      expect(await readerRow(server.services, readers.fullNameOnly)).toMatchObject({ first_name: 'Jan' })
    }))

  it('shows before and after one below the other on phones, without scrolling sideways', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        const table = page.getByRole('region', { name: 'Before and after' })
        for (const [view, fixes, value, label] of [
          ['nofirstname', 'Empty Name Fields', 'van der Berg', 'Last Name'],
          ['badaddressdata', 'Address Format', 'Fowey', 'City'],
        ] as const) {
          await openManageData(page, `&view=${view}`)
          await page.getByRole('link', { name: `Auto Fix ${fixes}` }).click()
          const cell = table.getByRole('cell').filter({ hasText: new RegExp(`^${value}$`) })
          await cell.waitFor()
          await expect.poll(() => table.evaluate((area) => area.scrollWidth - area.clientWidth)).toBe(0)
          await expect
            .poll(() => cell.evaluate((element) => getComputedStyle(element, '::before').content))
            .toBe(`"${label}"`)
          await expect.poll(() => table.getByRole('rowheader', { name: 'After' }).first().isVisible()).toBe(true)
          expect(await faultsOf(page)).toEqual([])
          await takeScreenshot(page, `manage-data-fix-${view}-360`)
        }
      },
      { width: 360 },
    ))

  it('resumes a fix that was interrupted', () =>
    asRole('publisher', async ({ page }) => {
      const ctx = server.as(operator)
      const { id } = await fixReaders(ctx, { publicationId, kind: 'name-fields' })
      await server.services.db.run(
        `UPDATE tasks SET state = 'interrupted', problem = 'Stopped on request' WHERE kind = 'fix-readers' AND subject_id = :id`,
        { id },
      )
      await openManageData(page)
      await page.getByText('Auto Fix: Empty Name Fields stopped after 1 reader').waitFor()
      await page.getByRole('button', { name: 'Resume Empty Name Fields' }).click()
      await page.getByText('The fix was resumed').first().waitFor()
      await server.jobsDone()
      expect((await listFixes(ctx, { publicationId }))[0]).toMatchObject({ id, state: 'done' })
      await page.reload()
      await page.getByRole('button', { name: /^Undo Empty Name Fields/ }).waitFor()
    }))

  it('confirms the fix of one address, with before and after', () =>
    asRole('publisher', async ({ page }) => {
      await openManageData(page, '&view=badaddressdata')
      await page.getByText('Fix by hand').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Auto Fix Bob Mill' }).click()
      const dialog = page.getByRole('alertdialog', { name: "Auto fix the address of 'Bob Mill'?" })
      await dialog.getByText("Are you sure you want to attempt to automatically fix this Reader's address?").waitFor()
      await expect
        .poll(() =>
          dialog.getByRole('button', { name: 'Cancel' }).evaluate((button) => button === document.activeElement),
        )
        .toBe(true)
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'manage-data-address-1280')
      const setAddress = (addressOne: string) =>
        server.services.db.run(`UPDATE readers SET address_one = :addressOne WHERE id = :id`, {
          addressOne,
          id: readers.oneLine,
        })
      await setAddress('12')
      await dialog.getByRole('button', { name: 'Fix address' }).click()
      await expect.poll(() => focusedText(page)).toMatch(/^This address has been changed in the meantime/)
      await expect.poll(() => dialog.count()).toBe(0)
      await setAddress('14 Mill Street, Fowey, PL23 1AQ')
      await openManageData(page, '&view=badaddressdata')
      await page.getByRole('button', { name: 'Auto Fix Bob Mill' }).press('Space')
      await dialog.getByRole('button', { name: 'Fix address' }).click()
      await page.getByText('Address fixed', { exact: true }).first().waitFor()
      await dialog.waitFor({ state: 'detached' })
      expect(await readerRow(server.services, readers.oneLine)).toMatchObject({
        address_one: '14 Mill Street',
        city: 'Fowey',
      })
      await listItem(page, 'Address Format', 1).waitFor()
    }))

  it('keeps a refusal, and the focus on it, while a fix is running', () =>
    asRole('publisher', async ({ page }) => {
      const ctx = server.as(operator)
      const { db } = server.services
      const { id } = await fixReaders(ctx, { publicationId, kind: 'name-fields' })
      await db.run(
        `UPDATE tasks SET state = 'running', lease_until = :until WHERE kind = 'fix-readers' AND subject_id = :id`,
        { id, until: new Date(`${addDays(today, 2)}T00:00:00Z`) },
      )
      await openManageData(page, '&view=badaddressdata')
      await page.getByText('Auto Fix: Empty Name Fields…').waitFor()
      await page.getByRole('button', { name: 'Auto Fix Bob Mill' }).click()
      await db.run(`UPDATE readers SET address_one = '12' WHERE id = :id`, { id: readers.oneLine })
      await page.getByRole('alertdialog').getByRole('button', { name: 'Fix address' }).click()
      const refusal = /^This address has been changed in the meantime/
      await expect.poll(() => focusedText(page)).toMatch(refusal)
      // The reload after the refusal, then two polls: the second is sent when the page shows the first.
      for (const _ of [1, 2, 3]) await page.waitForResponse(isReload)
      expect(await focusedText(page)).toMatch(refusal)
      // Another view of the page does not show the refusal.
      await listItem(page, 'Missing Postcodes').getByRole('link').click()
      await listRegion(page, 'Missing Postcodes').waitFor()
      await expect.poll(() => page.getByText(refusal).count()).toBe(0)
      await db.run(
        `UPDATE tasks SET state = 'done', lease_until = NULL WHERE kind = 'fix-readers' AND subject_id = :id`,
        {
          id,
        },
      )
    }))

  it('does not merge duplicates that somebody changed: the message and the choices stay until the changes are shown', () =>
    asRole('publisher', async ({ page }) => {
      await openManageData(page, '&view=duplicateemails')
      const card = page.locator('li.card').filter({ hasText: 'ann@example.org' })
      await card.getByText('Compare', { exact: true }).click()
      const keepOption = (id: number) =>
        card.getByRole('group', { name: 'Keep the record of' }).locator(`input[value="${id}"]`)
      const chosen = (await keepOption(readers.ann).isChecked()) ? readers.anne : readers.ann
      await keepOption(chosen).check()
      await server.services.db.run(`UPDATE readers SET version = version + 1, job_title = 'Editor' WHERE id = :id`, {
        id: readers.ann,
      })
      await card.getByRole('button', { name: 'Merge 2 records' }).click()
      const showChanges = card.getByRole('button', { name: 'Show the changed records' })
      await showChanges.waitFor()
      expect(await page.getByRole('alert').allTextContents()).toEqual([
        expect.stringContaining('1 of these readers was changed since you opened this group'),
      ])
      expect(await keepOption(chosen).isChecked()).toBe(true)
      expect(await card.getByRole('button', { name: 'Merge 2 records' }).getAttribute('aria-disabled')).toBe('true')
      expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      expect(await readerRow(server.services, readers.ann)).toBeDefined()
      expect(await readerRow(server.services, readers.anne)).toBeDefined()
      await showChanges.click()
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      await expect.poll(() => focusedText(page)).toMatch(/ann@example.org/)
      await card.getByRole('button', { name: 'Merge 2 records' }).click()
      await page.getByText('2 records merged into one reader').first().waitFor()
    }))

  it('keeps the ticks of readers that could not be removed, and clears them once they are', () =>
    asRole('publisher', async ({ page, problems }) => {
      await openManageData(page, '&view=nopostcode')
      const checkbox = page.getByRole('checkbox', { name: 'Select No Code' })
      const remove = async () => {
        await page.getByRole('button', { name: 'Remove 1 reader' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Remove 1 reader' }).click()
      }
      await checkbox.check()
      const makeRoom = await fillDisk(server.services, '1 = 1', { table: 'removed_readers' })
      await remove()
      await page.getByRole('alert').getByText('The disk of the database is full').waitFor()
      await makeRoom()
      expect(problems().every((problem) => problem.includes('503'))).toBe(true)
      expect(await checkbox.isChecked()).toBe(true)
      await remove()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('1 reader restored').first().waitFor()
      await expect.poll(() => checkbox.count()).toBe(1)
      expect(await checkbox.isChecked()).toBe(false)
    }))

  it('confirms the removal of a reader, recounts, keeps the focus nearby, and can restore the reader', () =>
    asRole('publisher', async ({ page }) => {
      await openManageData(page, '&view=nopostcode')
      const removeButton = page.getByRole('button', { name: /^Remove No Code/ })
      await removeButton.click()
      const dialog = page.getByRole('alertdialog', { name: "Remove 'No Code'?" })
      await dialog.getByText('Are you sure you want to remove this Reader from the system?').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => removeButton.evaluate((link) => link === document.activeElement)).toBe(true)
      await removeButton.click()
      await dialog.getByRole('button', { name: 'Remove Reader' }).click()
      await page.getByText('Reader removed', { exact: true }).first().waitFor()
      await page.getByText('There were no readers found for your search query').waitFor()
      await page.waitForFunction(() => document.activeElement?.id === 'list-heading')
      expect(await readerRow(server.services, readers.noCode)).toBeUndefined()
      // Counts that take longer than the page waits are shown a moment later.
      await listItem(page, 'Missing Postcodes', 0).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Reader restored').first().waitFor()
      expect(await readerRow(server.services, readers.noCode)).toMatchObject({ full_name: 'No Code' })
      await listItem(page, 'Missing Postcodes', 1).waitFor()
    }))

  it('exports expired readers, sorts, filters and says when nobody matches', () =>
    asRole('publisher', async ({ page }) => {
      await openManageData(page, '&view=expiredsubscriber')
      const downloadStarted = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export Expired Subscribers' }).click()
      const download = await downloadStarted
      expect(download.suggestedFilename()).toBe('expired.csv')
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\r\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toContain('Just Ended')
      await openManageData(page, '&view=all')
      await page.getByRole('link', { name: 'Full Name', exact: true }).click()
      await arrived(page, /sort=name/)
      await page.locator('#list tbody tr').first().getByText('Bad Code').first().waitFor()
      await page.getByRole('searchbox', { name: 'Filter readers' }).fill('nobody')
      await page.getByText('There were no readers found for your search query').waitFor()
      expect(await faultsOf(page)).toEqual([])
    }))

  it('works without JavaScript: the confirmation is a part of the page', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/managedata?publication=${publicationId}&view=nopostcode`)
        await page.getByRole('button', { name: /^Remove No Code/ }).click()
        await page.getByRole('button', { name: 'Remove Reader' }).click()
        await page.getByText('There were no readers found for your search query').waitFor()
        expect(await readerRow(server.services, readers.noCode)).toBeUndefined()
      },
      { javaScriptEnabled: false },
    ))

  it('shows a message to a publisher without publications', async () => {
    const { email } = await makeUser(server.services)
    await asUser(email, async ({ page }) => {
      await page.goto('/managedata')
      await page.getByText('No Publications found for this User').waitFor()
      await page.getByText('with the button “Add publication”').waitFor()
      expect(await faultsOf(page)).toEqual([])
    })
  })
})
