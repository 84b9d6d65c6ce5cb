import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { arrived, faultsOf, hydrated, takeScreenshot } from '#tests/support/browser.ts'
import { fieldOf, focusedRole, focusedText, pathOf, toastWith } from '#tests/support/page-facts.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()
let publicationId: number

beforeAll(async () => {
  const [shop] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = shop?.id ?? 0
})

let readersMade = 0
const someReader = (fields: object = {}) =>
  makeReader(server.services, publicationId, {
    uniqueReference: `E2E${++readersMade}`,
    firstName: 'Ida',
    lastName: `Quill${readersMade}`,
    fullName: `Ida Quill${readersMade}`,
    ...fields,
  })
const openReader = async (page: Page, id: number) => {
  await page.goto(`/editreader/${id}`)
}
const newestReader = async () => {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT MAX(id) AS id FROM readers WHERE publication_id = :publicationId`,
    { publicationId },
  )
  return readerRow(server.services, Number(row?.id))
}

describe('the reader home', () => {
  it('offers each role its own actions', async () => {
    const actionsOf = {
      mailer: ['Download Current Mailing File'],
      admin: ['Add Reader', 'Search Readers'],
      publisher: ['Download Current Mailing File', 'Download Entire Database', 'Add Reader', 'Search Readers'],
    } as const
    for (const role of ['mailer', 'admin', 'publisher'] as const) {
      await asRole(role, async ({ page }) => {
        await page.goto('/readers')
        const firstCard = page.locator('main > ul > li').first()
        await expect.poll(() => firstCard.locator('ul a').allInnerTexts()).toEqual(actionsOf[role])
        await expect
          .poll(() => firstCard.getByRole('link', { name: 'Manage Data' }).count())
          .toBe(role === 'publisher' ? 1 : 0)
      })
    }
  })
})

describe('adding a reader', () => {
  it('finds the address by its postcode, builds the full name, fills in a term and stores everything', () =>
    asRole('admin', async ({ page }) => {
      await page.goto('/readers')
      await page.getByRole('link', { name: 'Add Reader: Harbour Light' }).click()
      await arrived(page, '**/addreader/**')
      await expect.poll(() => fieldOf(page, 'uniqueReference').inputValue()).toMatch(/^HL\d{7}$/)
      await expect.poll(() => page.getByRole('checkbox').count()).toBe(8)
      await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(8)
      await fieldOf(page, 'title').selectOption('Ms.')
      await fieldOf(page, 'firstName').fill('Wilhelmina')
      await fieldOf(page, 'lastName').fill('Zander')
      await expect.poll(() => fieldOf(page, 'fullName').inputValue()).toBe('Ms. Wilhelmina Zander')
      await fieldOf(page, 'email').fill('mina@zander.test')
      await expect.poll(() => fieldOf(page, 'addressOne').isVisible()).toBe(false)
      await fieldOf(page, 'postCode').fill('sw1a1aa')
      await page.getByRole('button', { name: 'Find address' }).click()
      await fieldOf(page, 'postCode.found').selectOption({ label: 'Flat 2, Palace View, 3 Demo Mall, London' })
      await fieldOf(page, 'addressOne').waitFor()
      await expect.poll(() => fieldOf(page, 'addressThree').inputValue()).toBe('3 Demo Mall')
      await fieldOf(page, 'subType').selectOption('print')
      await fieldOf(page, 'subStartOn').fill('31/02/2026')
      await page.getByRole('button', { name: '3 months' }).click()
      await page.locator('[id="field-subStartOn-error"]').getByText('Must be a date such as 31-12-2026').waitFor()
      await expect.poll(() => fieldOf(page, 'subStartOn').inputValue()).toBe('31/02/2026')
      await expect.poll(() => fieldOf(page, 'subEndOn').inputValue()).toBe('')
      await fieldOf(page, 'subStartOn').fill('31/1/2026')
      await expect.poll(() => page.locator('[id="field-subStartOn-error"]').count()).toBe(0)
      await page.getByRole('button', { name: '3 months' }).click()
      await expect.poll(() => fieldOf(page, 'subEndOn').inputValue()).toBe('30-04-2026')
      await fieldOf(page, 'subPaid').fill('10.50')
      await page.getByRole('checkbox', { name: 'Opt out of Publication offers by post' }).uncheck()
      await page.keyboard.press('Control+s')
      await arrived(page, '**/editreader/**')
      await toastWith(page, 'New Reader added').waitFor()
      expect(await newestReader()).toMatchObject({
        full_name: 'Ms. Wilhelmina Zander',
        address_one: 'Flat 2',
        city: 'London',
        post_code: 'SW1A 1AA',
        sub_start_on: '2026-01-31',
        sub_end_on: '2026-04-30',
        sub_paid: 1050,
        origin: 'staff',
      })
      await expect
        .poll(() => page.getByRole('heading', { level: 1 }).innerText())
        .toMatch(/^Active Reader\s+Ms. Wilhelmina Zander/)
      await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(7)
    }))

  it('shows the lines of a foreign address at once, and keeps the entries', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/addreader/${publicationId}`)
      await fieldOf(page, 'postCode').fill('75001')
      await fieldOf(page, 'country').selectOption('FR')
      await fieldOf(page, 'addressOne').waitFor()
      await expect.poll(() => fieldOf(page, 'postCode').inputValue()).toBe('75001')
      await expect.poll(() => page.getByRole('button', { name: 'Find address' }).count()).toBe(0)
      await fieldOf(page, 'addressOne').fill('1 rue de Rivoli')
      await fieldOf(page, 'country').selectOption('GB')
      await expect.poll(() => fieldOf(page, 'addressOne').inputValue()).toBe('1 rue de Rivoli')
    }))

  it('shows similar readers while typing, stops once for them, and then adds the reader', () =>
    asRole('publisher', async ({ page }) => {
      const similarId = await someReader({ lastName: 'Twinning', fullName: 'Ida Twinning', email: 'ida@twinning.test' })
      await page.goto(`/addreader/${publicationId}`)
      const reloads: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'GET' && request.url().includes('.data')) reloads.push(request.url())
      })
      await fieldOf(page, 'email').fill('IDA@twinning.test')
      await page.keyboard.press('Tab')
      await page.getByText('This looks like a reader you already have').waitFor()
      await page.getByText('same email').waitFor()
      await takeScreenshot(page, 'readers-alike')
      const searchedAgain = page.waitForResponse((response) => response.request().method() === 'POST')
      await fieldOf(page, 'lastName').fill('Twinning')
      await page.keyboard.press('Tab')
      await searchedAgain
      // The search for similar readers reloads no data of the page.
      expect(reloads).toEqual([])
      await page.getByRole('button', { name: 'Add Reader' }).click()
      const warning = page.getByRole('alert').filter({ hasText: 'This looks like' })
      await warning.waitFor()
      await expect
        .poll(() => warning.getByRole('link', { name: /^Open/ }).getAttribute('href'))
        .toBe(`/editreader/${similarId}`)
      expect(await faultsOf(page)).toEqual([])
      await warning.getByRole('button', { name: 'Add anyway' }).click()
      await arrived(page, '**/editreader/**')
      expect(await newestReader()).toMatchObject({ email: 'IDA@twinning.test', last_name: 'Twinning' })
    }))

  it('reports all errors above the form, leads to the fields and loses nothing', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/addreader/${publicationId}`)
      await fieldOf(page, 'subStartOn').fill('31/02/2026')
      await fieldOf(page, 'telephone').fill('01843 5550')
      await page.getByRole('button', { name: 'Add Reader' }).click()
      await page.getByRole('alert').getByText('Reader not added').waitFor()
      await expect.poll(() => page.getByText('Reader not added').count()).toBe(1)
      await expect.poll(() => focusedRole(page)).toBe('alert')
      await expect.poll(() => page.title()).toMatch(/^Error: /)
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 5550')
      await page.getByRole('link', { name: 'Start date: Must be a date such as 31-12-2026' }).click()
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-subStartOn')
      expect(await faultsOf(page)).toEqual([])
    }))

  it('works without JavaScript', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/addreader/${publicationId}`)
        await fieldOf(page, 'lastName').fill('Scriptless')
        await fieldOf(page, 'addressOne').fill('1 Quay')
        await fieldOf(page, 'subPaid').fill('dear')
        await page.getByRole('button', { name: 'Add Reader' }).click()
        await page.getByRole('link', { name: /Amount paid: Must be an amount/ }).waitFor()
        await expect.poll(() => fieldOf(page, 'addressOne').inputValue()).toBe('1 Quay')
        await fieldOf(page, 'subPaid').fill('')
        await page.getByRole('button', { name: 'Add Reader' }).click()
        await arrived(page, '**/editreader/**')
        expect(await newestReader()).toMatchObject({
          last_name: 'Scriptless',
          address_one: '1 Quay',
          pub_offers: expect.anything(),
        })
        await page.getByRole('button', { name: 'Remove Reader' }).click()
        await page.getByText('Are you sure you want to remove this Reader from the system?').waitFor()
        await page.locator('section').getByRole('button', { name: 'Remove Reader' }).click()
        await arrived(page, '**/searchreaders/**')
        await page.getByRole('button', { name: 'Undo' }).click()
        await arrived(page, '**/editreader/**')
      },
      { javaScriptEnabled: false },
    ))
})

describe('a reader’s page', () => {
  it('shows the bar of unsaved changes when something differs, saves by Ctrl+S, and asks before leaving unsaved changes', () =>
    asRole('publisher', async ({ page }) => {
      const id = await someReader()
      await openReader(page, id)
      await fieldOf(page, 'telephone').fill('01843')
      await page.getByText('Unsaved changes').waitFor()
      await fieldOf(page, 'telephone').fill('')
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
      await fieldOf(page, 'telephone').fill('01843 555')
      await page.getByRole('link', { name: 'Back to the list' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => pathOf(page)).toBe(`/editreader/${id}`)
      await page.keyboard.press('Control+s')
      await toastWith(page, 'Reader updated successfully').waitFor()
      expect(await readerRow(server.services, id)).toMatchObject({ telephone: '01843 555', version: 2 })
      await page.getByText('Changed: Telephone').waitFor()
      await fieldOf(page, 'telephone').fill('0')
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await page.waitForFunction(
        () => (document.getElementById('field-telephone') as HTMLInputElement | null)?.value === '01843 555',
      )
    }))

  it('refuses to overwrite another tab’s changes, shows both, and saves the choice', () =>
    asRole('publisher', async ({ page, context }) => {
      const id = await someReader({ telephone: '1', jobTitle: 'Cook', addressOne: '4 Quay Street' })
      await openReader(page, id)
      const otherTab = await context.newPage()
      await openReader(otherTab, id)
      await fieldOf(otherTab, 'telephone').fill('222')
      await fieldOf(otherTab, 'city').fill('Hull')
      await otherTab.getByRole('button', { name: 'Update Reader' }).click()
      await toastWith(otherTab, 'Reader updated successfully').waitFor()
      await otherTab.close()
      await fieldOf(page, 'telephone').fill('333')
      await fieldOf(page, 'jobTitle').fill('Chef')
      await page.getByRole('button', { name: 'Update Reader' }).click()
      const versions = page.getByRole('region', { name: 'Two versions of this reader' })
      await versions.waitFor()
      expect(await readerRow(server.services, id)).toMatchObject({ telephone: '222', job_title: 'Cook' })
      const rows = await versions.locator('tbody tr').allInnerTexts()
      expect(rows.map((row) => row.split(/[\n\t]/)[0])).toEqual(['Job title', 'Town or city', 'Telephone'])
      // My value where I changed the field, theirs where I did not.
      await expect
        .poll(() => versions.getByRole('radio', { name: 'Town or city: keep theirs, Hull' }).isChecked())
        .toBe(true)
      await expect
        .poll(() => versions.getByRole('radio', { name: 'Telephone: keep yours, 333' }).isChecked())
        .toBe(true)
      await takeScreenshot(page, 'readers-two-versions')
      expect(await faultsOf(page)).toEqual([])
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-labelledby')))
        .toBe('two-versions')
      await versions.getByRole('radio', { name: 'Telephone: keep theirs, 222' }).check()
      await fieldOf(page, 'subStartOn').fill('31/02/2026')
      await page.getByRole('button', { name: 'Update Reader' }).click()
      await page.getByRole('link', { name: /^Start date: / }).waitFor()
      // The choice is kept after a refusal for another reason.
      await expect
        .poll(() => versions.getByRole('radio', { name: 'Telephone: keep theirs, 222' }).isChecked())
        .toBe(true)
      await fieldOf(page, 'subStartOn').fill('01-01-2026')
      await page.getByRole('button', { name: 'Update Reader' }).click()
      await toastWith(page, 'Reader updated successfully').waitFor()
      expect(await readerRow(server.services, id)).toMatchObject({
        telephone: '222',
        job_title: 'Chef',
        city: 'Hull',
        version: 3,
      })
    }))

  it('deactivates with Undo, and reactivates', () =>
    asRole('admin', async ({ page }) => {
      const id = await someReader()
      await openReader(page, id)
      await page.getByRole('button', { name: 'Deactivate Reader' }).click()
      await toastWith(page, 'Reader deactivated successfully').waitFor()
      await page.getByRole('heading', { level: 1, name: /^Deactivated Reader/ }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await toastWith(page, 'Reader reactivated successfully').waitFor()
      await page.getByRole('heading', { level: 1, name: /^Active Reader/ }).waitFor()
      await fieldOf(page, 'telephone').fill('5')
      await page.getByText('Save or discard your changes first.').first().waitFor()
    }))

  it('keeps what was typed when a message’s Undo reloads the page, and saves and discards it as usual', () =>
    asRole('publisher', async ({ page }) => {
      const id = await someReader({ telephone: '1' })
      await openReader(page, id)
      const undoAfterTyping = async (text: string) => {
        await page.getByRole('button', { name: 'Deactivate Reader' }).click()
        const undo = toastWith(page, 'Reader deactivated successfully').getByRole('button', { name: 'Undo' })
        await undo.waitFor()
        await fieldOf(page, 'telephone').fill(text)
        await page.getByText('Unsaved changes').waitFor()
        await undo.click()
        await page.getByRole('heading', { level: 1, name: /^Active Reader/ }).waitFor()
        await hydrated(page)
        await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe(text)
        await page.getByText('Unsaved changes').waitFor()
      }
      await undoAfterTyping('01843')
      // When the stored value is typed again, the form stays as it is and keeps its focus.
      await fieldOf(page, 'telephone').fill('1')
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
      await fieldOf(page, 'telephone').pressSequentially('2')
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('12')
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('1')
      await undoAfterTyping('01844')
      // A refusal in between does not change that.
      await fieldOf(page, 'email').fill('no email')
      await page.getByRole('button', { name: 'Update Reader' }).click()
      await page.getByText('Please fix the errors and retry').first().waitFor()
      await fieldOf(page, 'email').fill('')
      await page.getByRole('button', { name: 'Update Reader' }).click()
      await toastWith(page, 'Reader updated successfully').waitFor()
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
      expect(await readerRow(server.services, id)).toMatchObject({ telephone: '01844' })
      await undoAfterTyping('01845')
      await page.getByRole('button', { name: 'Update Reader' }).click()
      await expect.poll(() => readerRow(server.services, id)).toMatchObject({ telephone: '01845' })
    }))

  it('removes after a confirmation, by keyboard, and restores by Undo', () =>
    asRole('publisher', async ({ page }) => {
      const id = await someReader({ fullName: 'Gone Soon' })
      await openReader(page, id)
      await page.getByRole('button', { name: 'Remove Reader' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('alertdialog', { name: "Remove 'Gone Soon'?" })
      await dialog.getByText('Are you sure you want to remove this Reader from the system?').waitFor()
      await expect.poll(() => focusedText(page)).toBe('Cancel')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => focusedText(page)).toBe('Remove Reader')
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Remove Reader' }).click()
      await arrived(page, `**/searchreaders/${publicationId}`)
      expect(await readerRow(server.services, id)).toBeUndefined()
      await toastWith(page, 'Reader removed').getByRole('button', { name: 'Undo' }).click()
      await arrived(page, `**/editreader/${id}`)
      expect(await readerRow(server.services, id)).toMatchObject({ full_name: 'Gone Soon' })
    }))

  it('returns to the list as it was left', () =>
    asRole('publisher', async ({ page }) => {
      const id = await someReader({ lastName: 'Listed', fullName: 'Ida Listed' })
      await page.goto(`/searchreaders/${publicationId}?lastName=listed&search=1&sort=-reference`)
      await page.getByRole('link', { name: 'View Ida Listed' }).click()
      await arrived(page, `**/editreader/${id}**`)
      await expect
        .poll(() => page.getByRole('navigation', { name: 'Readers in the list' }).innerText())
        .toBe('1 of 1 reader')
      await page.getByRole('link', { name: 'Back to the list' }).click()
      await arrived(page, '**lastName=listed**')
      await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-reference')
    }))
})

describe('the previous and next reader', () => {
  it('are linked from a reader, also across the pages of the list', () =>
    asRole('publisher', async ({ page }) => {
      const ids: number[] = []
      for (let n = 10; n < 22; n++) {
        ids.push(await someReader({ lastName: 'Beside', fullName: `Beside ${n}`, postCode: `B${n} 1AA` }))
      }
      await page.goto(`/searchreaders/${publicationId}?lastName=beside`)
      await page.getByRole('link', { name: 'View Beside 19' }).click()
      await page.getByText('10 of 12 readers').waitFor()
      await page.getByRole('link', { name: 'Next reader' }).click()
      await arrived(page, `**/editreader/${ids[10]}**`)
      await page.getByText('11 of 12 readers').waitFor()
      await expect.poll(() => fieldOf(page, 'fullName').inputValue()).toBe('Beside 20')
      await page.getByRole('link', { name: 'Previous reader' }).click()
      await arrived(page, `**/editreader/${ids[9]}**`)
      await page.getByRole('link', { name: 'Back to the list' }).click()
      await page.getByRole('link', { name: 'View Beside 10' }).waitFor()
    }))
})

describe('the search', () => {
  it('sends nothing while it is empty', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/searchreaders/${publicationId}`)
      const addressBefore = page.url()
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('alert').filter({ hasText: 'Fill in at least one field' }).waitFor()
      await expect.poll(() => page.url()).toBe(addressBefore)
      await fieldOf(page, 'lastName').fill('x')
      await page.getByText('Fill in at least one field to search.').waitFor({ state: 'detached' })
    }))
})
