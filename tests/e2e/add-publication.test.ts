import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, goBack } from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { focusedId, focusedRole, mainAlert } from '#tests/support/page-facts.ts'
import { fillDetails, laterSteps } from '#tests/support/publication-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asUser } = openVisits()
let publisherCount = 0

/** A publisher whose plan includes this many titles. */
async function newPublisher(titles: number): Promise<{ id: number; email: string }> {
  const email = `press-${++publisherCount}@example.test`
  const { id } = await makeUser(server.services, { email })
  await server.services.db.run(`UPDATE accounts SET number_of_publications = :titles WHERE user_id = :id`, {
    titles,
    id,
  })
  return { id, email }
}

/** Presses Tab until a control with this id has the focus. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    if ((await focusedId(page)) === id) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key never reached ${id}`)
}

async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `field-${name}`)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

async function submitByEnter(page: Page, step: string): Promise<void> {
  await page.keyboard.press('Enter')
  await arrived(page, `**/${step}`)
}

async function clickThrough(page: Page, steps: readonly string[]): Promise<void> {
  for (const step of steps) {
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await arrived(page, `**/${step}`)
  }
}

describe('a new publisher', () => {
  it('adds a publication from nothing to a live storefront, using only the keyboard', async () => {
    const { email } = await newPublisher(1)
    await asUser(email, async ({ page, context }) => {
      await page.goto('/publications')
      await page.getByText('No Publications found for this User').waitFor()
      await page.getByRole('main').getByText('0 of 1 title').waitFor()
      await page.getByRole('link', { name: 'Add publication' }).first().focus()
      await page.keyboard.press('Enter')
      await arrived(page, '**/addpublication')
      await expect.poll(() => page.getByRole('button', { name: 'Previous' }).getAttribute('aria-disabled')).toBe('true')

      // All missing fields are reported together, at the top, with the focus there.
      await tabTo(page, 'field-publicationName')
      await page.keyboard.press('Enter')
      await mainAlert(page).waitFor()
      await expect.poll(() => focusedRole(page)).toBe('alert')
      await page.waitForFunction(() => document.title.startsWith('Error: '))
      for (const label of ['Name', 'Issues a year', 'Handle', 'Enquiries email', 'Order email'])
        await mainAlert(page)
          .getByRole('link', { name: `${label}: enter a value` })
          .waitFor()
      await mainAlert(page).getByRole('link', { name: 'Issues a year: enter a value' }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => focusedId(page)).toBe('field-issuesPerYear')
      await page.keyboard.type('monthly')

      await page.getByLabel('Name *').focus()
      await page.keyboard.type('The Gardener & Co')
      const handle = page.getByLabel('Handle')
      await expect.poll(() => handle.inputValue()).toBe('the-gardener-co')
      const taken = 'That handle has already been taken. Please try another.'
      for (const [typed, message] of [
        ['HARBOUR-Light', taken],
        ['dashBoard', taken],
        ['two words', 'Only alphanumeric characters, underscores and hyphens allowed'],
        ['The-Gardener', 'This handle is available'],
      ] as const) {
        await handle.focus()
        await page.keyboard.press('Control+a')
        await page.keyboard.type(typed)
        await page.keyboard.press('Tab')
        await page.getByText(message).first().waitFor()
      }
      await typeInto(page, 'publicationInfo', 'Slugs, and how to live with them.')
      await page.getByText('7 words, 63 more to reach 70').waitFor()
      await typeInto(page, 'emailAddress', 'hello@example.test')
      await typeInto(page, 'orderEmailAddress', 'orders@example')
      await page.keyboard.press('Enter')
      await mainAlert(page).getByText('Issues a year: Must be a number').waitFor()
      await mainAlert(page).getByText('Order email: Invalid email address').waitFor()
      await expect.poll(() => page.getByLabel('Name *').inputValue()).toBe('The Gardener & Co')
      await page.getByLabel('Issues a year').fill('10')
      await page.getByLabel('Order email').fill('orders@example.test')
      await page.getByLabel('Colour *').fill('#F2C200')
      await page.getByText('Button text will be black on this colour').waitFor()
      await submitByEnter(page, 'images')

      await page.getByLabel('Cover', { exact: true }).setInputFiles({
        name: 'cover.png',
        mimeType: 'image/png',
        buffer: await sharp({ create: { width: 300, height: 400, channels: 3, background: '#12455c' } })
          .png()
          .toBuffer(),
      })
      await page.getByAltText('Preview of cover.png').waitFor()
      await page.getByRole('button', { name: 'Next', exact: true }).focus()
      await submitByEnter(page, 'prices')

      const print = (term: string) => page.getByLabel(`Print, ${term}, UK, one-off`)
      await print('one year').focus()
      await page.keyboard.type('29,99')
      await print('six months').focus()
      await page.keyboard.type('1e3')
      await page.keyboard.press('Enter')
      await mainAlert(page).getByText('Print, one year, UK: Must be an amount such as 29.99').waitFor()
      await mainAlert(page).getByText('Print, six months, UK: Must be an amount such as 29.99').waitFor()
      await expect.poll(() => print('one year').inputValue()).toBe('29,99')
      await print('one year').focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('29.99')
      await page.getByText('£2.50 a month').waitFor()
      await print('six months').fill('')
      await page.getByRole('switch', { name: /^Free.*the digital edition/ }).focus()
      await page.keyboard.press('Space')
      await expect
        .poll(() => page.getByLabel('Digital, one year, UK, one-off', { exact: true }).isVisible())
        .toBe(false)
      await print('one year').focus()
      await submitByEnter(page, 'questions')

      // The browser's Back button does the same as Previous; the input is still there.
      const heading = (name: string) => page.getByRole('heading', { name, level: 2 }).waitFor()
      await heading('Custom questions')
      await goBack(page)
      await heading('Subscription prices')
      await expect.poll(() => print('one year').inputValue()).toBe('29.99')
      await page.goForward()
      await heading('Custom questions')
      await page.getByRole('button', { name: 'Previous' }).click()
      await arrived(page, '**/prices')
      await page.getByRole('button', { name: 'Next', exact: true }).click()
      await arrived(page, '**/questions')

      // Closing the tab right after typing loses nothing.
      await page.getByLabel('Question A').pressSequentially('Do you garden?')
      await page.getByText('As the buyer sees it').waitFor()
      await page.close({ runBeforeUnload: false })
      const newTab = await context.newPage()
      await newTab.goto('/addpublication')
      await newTab.getByText('You have an unfinished draft').waitFor()
      await newTab.getByText(/^Draft saved \d\d:\d\d$/).waitFor()
      await newTab.goto('/addpublication/questions')
      await expect.poll(() => newTab.getByLabel('Question A').inputValue()).toBe('Do you garden?')
      await newTab.getByRole('button', { name: 'Next', exact: true }).click()
      await arrived(newTab, '**/apps')

      await newTab.getByLabel('Android app').fill('javascript:alert(1)')
      await newTab.keyboard.press('Enter')
      await mainAlert(newTab).getByText('Android app: Invalid Web address').waitFor()
      await newTab.getByLabel('Android app').fill('play.example.test/gardener')
      await expect
        .poll(() => newTab.getByRole('link', { name: /play\.example\.test/ }).getAttribute('href'))
        .toBe('https://play.example.test/gardener')
      await submitByEnter(newTab, 'social')
      await newTab.getByLabel('Facebook').focus()
      await submitByEnter(newTab, 'submit')

      // All input, for review; a change leads back here.
      const review = newTab.getByRole('main')
      await review.getByRole('heading', { name: 'Check your answers' }).waitFor()
      await expect.poll(() => review.innerText()).toMatch(/Instagram\s+Not provided/)
      await expect.poll(() => review.innerText()).toMatch(/One year: £29\.99/)
      await expect.poll(() => review.innerText()).toMatch(/Digital\s+Free/)
      await review.getByRole('link', { name: 'Change social links' }).focus()
      await newTab.keyboard.press('Enter')
      await arrived(newTab, '**/social?change')
      await newTab.getByLabel('Instagram').fill('https://instagram.com/gardener')
      await newTab.keyboard.press('Enter')
      await arrived(newTab, '**/submit')
      await newTab.getByText('https://instagram.com/gardener').waitFor()
      await expect.poll(() => review.innerText()).toContain('/The-Gardener')
      await newTab.getByRole('button', { name: 'Confirm and Submit' }).focus()
      await newTab.keyboard.press('Enter')
      await arrived(newTab, '**/publications')
      await newTab.getByText('New Publication added').waitFor()
      await newTab.getByRole('heading', { name: 'The Gardener & Co' }).waitFor()
      await newTab.getByText('1 of 1 title').waitFor()
      const cover = newTab.getByAltText('Cover of The Gardener & Co')
      // Decoding waits until the picture has arrived, and fails where there is none.
      expect(
        await cover.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
      ).toBeGreaterThan(0)

      await newTab.getByRole('link', { name: 'View storefront', exact: true }).click()
      await arrived(newTab, '**/The-Gardener')
      await newTab.getByRole('heading', { name: 'The Gardener & Co' }).waitFor()
      await expect.poll(() => newTab.getByRole('main').innerText()).toContain('£29.99')
      await expect.poll(() => newTab.getByRole('main').innerText()).toContain('Free')
    })
  })

  it('when two users have filled in the last title, the second to submit is refused because the quota is full, and keeps the draft', async () => {
    const { id, email } = await newPublisher(1)
    const admin = await makeUser(server.services, {
      userType: 'pubadmin',
      email: `admin-of-${id}@example.test`,
      parentPublisherId: id,
    })
    await asUser(email, async ({ page }) => {
      await asUser(admin.email, async ({ page: otherPage }) => {
        for (const [tab, name] of [
          [page, `First ${id}`],
          [otherPage, `Second ${id}`],
        ] as const) {
          await tab.goto('/addpublication')
          await fillDetails(tab, name)
          await clickThrough(tab, laterSteps)
        }
        await page.getByRole('button', { name: 'Confirm and Submit' }).click()
        await arrived(page, '**/publications')
        await otherPage.getByRole('button', { name: 'Confirm and Submit' }).click()
        await otherPage.getByRole('heading', { name: 'Publication Quota Met' }).waitFor()
        await otherPage.getByText('You have 1 of 1 title.').waitFor()
        await otherPage.getByText('What you entered for a new publication is kept').waitFor()
        expect(await faultsOf(otherPage)).toEqual([])
        await otherPage.goto('/publications')
        await expect.poll(() => otherPage.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([`First ${id}`])
      })
      // The first user cannot begin another publication either.
      await page.goto('/addpublication')
      await page.getByRole('heading', { name: 'Publication Quota Met' }).waitFor()
    })
  })

  it('is led from the review of the answers to the steps with errors, and can discard the draft', async () => {
    const { email } = await newPublisher(1)
    await asUser(email, async ({ page }) => {
      await page.goto('/addpublication/social')
      await page.getByLabel('Twitter').fill('not a link')
      await page.getByLabel('Facebook').focus()
      await page.getByText(/^Draft saved/).waitFor()
      await page.goto('/addpublication/submit')
      await page.getByRole('button', { name: 'Confirm and Submit' }).click()
      await mainAlert(page).getByText('Publication not added').waitFor()
      await mainAlert(page).getByText('Please fix the errors and retry').waitFor()
      await expect.poll(() => page.getByText('Publication not added').count()).toBe(1)
      await mainAlert(page).getByRole('link', { name: 'Twitter: Invalid Web address' }).click()
      await arrived(page, '**/social?change&correct')
      await mainAlert(page).getByRole('link', { name: 'Twitter: Invalid Web address' }).click()
      await expect.poll(() => focusedId(page)).toBe('field-twitter')
      await expect.poll(() => page.getByLabel('Twitter').inputValue()).toBe('not a link')
      await page.getByRole('button', { name: 'Discard draft' }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Discard this draft?' })
      await expect
        .poll(() =>
          dialog.getByRole('button', { name: 'Cancel' }).evaluate((button) => button === document.activeElement),
        )
        .toBe(true)
      await dialog.getByRole('button', { name: 'Discard draft' }).click()
      await arrived(page, '**/addpublication')
      await page.getByText('Draft discarded').waitFor()
      await page.goto('/addpublication/social')
      await expect.poll(() => page.getByLabel('Twitter').inputValue()).toBe('')
    })
  })
})
