import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  faultsOf,
  hydrated,
  openBrowser,
  openPage,
  type PageOptions,
  type WatchedPage,
} from '#tests/support/browser.ts'
import { makePublication, makeUser } from '#tests/support/factories.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

let server: TestServer
let browser: Browser
let made = 0

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startTestServer(), openBrowser()])
})

// One address logs in here more often than anyone may.
beforeEach(() => server.services.db.run(`DELETE FROM rate_limits`))

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/** A publisher who may have so many titles. */
async function newPublisher(titles: number): Promise<{ id: number; email: string }> {
  const email = `press-${++made}@example.test`
  const { id } = await makeUser(server.services, { email })
  await server.services.db.run(`UPDATE accounts SET number_of_publications = :titles WHERE user_id = :id`, {
    titles,
    id,
  })
  return { id, email }
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email/Username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('masthead')
  await page.getByRole('button', { name: 'Log In' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
}

/** A page of someone signed in, watched, closed at its end whatever happens; nothing in it may have broken. */
async function as(
  email: string,
  work: (watched: WatchedPage) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  const watched = await openPage(browser, { baseURL: server.url, ...options })
  try {
    await logIn(watched.page, email)
    await work(watched)
    expect(watched.problems()).toEqual([])
  } finally {
    await watched.context.close()
  }
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await hydrated(page)
}

const pathOf = (page: Page) => new URL(page.url()).pathname
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '')
const problems = (page: Page) => page.getByRole('main').getByRole('alert')

/** Presses Tab until a control of this id has the focus. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    if ((await focusedId(page)) === id) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key never came to ${id}`)
}

async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `field-${name}`)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

async function next(page: Page, step: string): Promise<void> {
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/${step}`)
}

async function fillInfo(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: false }).first().fill(name)
  await page.getByLabel('Issues a year').fill('10')
  await page.getByLabel('Enquiries email').fill('hello@example.test')
  await page.getByLabel('Order email').fill('orders@example.test')
}

async function toStep(page: Page, steps: readonly string[]): Promise<void> {
  for (const step of steps) {
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.waitForURL(`**/${step}`)
  }
}

const allSteps = ['images', 'prices', 'questions', 'apps', 'social', 'submit']

describe('a new publisher', () => {
  it('adds a publication from nothing to a live storefront, by keyboard alone', async () => {
    const { email } = await newPublisher(1)
    await as(email, async ({ page, context }) => {
      await open(page, '/publications')
      await page.getByText('No Publications found for this User').waitFor()
      await page.getByRole('main').getByText('0 of 1 title').waitFor()
      await page.getByRole('link', { name: 'Add publication' }).first().focus()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/addpublication')
      expect(await page.getByRole('button', { name: 'Previous' }).getAttribute('aria-disabled')).toBe('true')

      // Everything that is missing is said at once, on top, with the focus there.
      await tabTo(page, 'field-publicationName')
      await page.keyboard.press('Enter')
      await problems(page).waitFor()
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert')
      await page.waitForFunction(() => document.title.startsWith('Error: '))
      for (const label of ['Name', 'Issues a year', 'Handle', 'Enquiries email', 'Order email'])
        await problems(page)
          .getByRole('link', { name: `${label}: Required` })
          .waitFor()
      await problems(page).getByRole('link', { name: 'Issues a year: Required' }).focus()
      await page.keyboard.press('Enter')
      expect(await focusedId(page)).toBe('field-issuesPerYear')
      await page.keyboard.type('monthly')

      await page.getByLabel('Name *').focus()
      await page.keyboard.type('The Gardener & Co')
      const handle = page.getByLabel('Handle')
      expect(await handle.inputValue()).toBe('the-gardener-co')
      const taken = 'That handle has already been taken. Please try another.'
      for (const [typed, said] of [
        ['HARBOUR-Light', taken],
        ['dashBoard', taken],
        ['two words', 'Only alphanumeric characters, underscores and hyphens allowed'],
        ['The-Gardener', 'This handle is free'],
      ] as const) {
        await handle.focus()
        await page.keyboard.press('Control+a')
        await page.keyboard.type(typed)
        await page.keyboard.press('Tab')
        await page.getByText(said).first().waitFor()
      }
      await typeInto(page, 'publicationInfo', 'Slugs, and how to live with them.')
      await page.getByText('7 words, 63 to go to 70').waitFor()
      await typeInto(page, 'emailAddress', 'hello@example.test')
      await typeInto(page, 'orderEmailAddress', 'orders@example')
      await page.keyboard.press('Enter')
      await problems(page).getByText('Issues a year: Must be a number').waitFor()
      await problems(page).getByText('Order email: Invalid email address').waitFor()
      expect(await page.getByLabel('Name *').inputValue()).toBe('The Gardener & Co')
      await page.getByLabel('Issues a year').fill('10')
      await page.getByLabel('Order email').fill('orders@example.test')
      await page.getByLabel('Colour *').fill('#F2C200')
      await page.getByText('Label will be black on this colour').waitFor()
      await next(page, 'images')

      await page.getByLabel('Cover (optional)').setInputFiles({
        name: 'cover.png',
        mimeType: 'image/png',
        buffer: await sharp({ create: { width: 300, height: 400, channels: 3, background: '#12455c' } })
          .png()
          .toBuffer(),
      })
      await page.getByAltText('Preview of cover.png').waitFor()
      await page.getByRole('button', { name: 'Next', exact: true }).focus()
      await next(page, 'prices')

      const print = (term: string) => page.getByLabel(`Print, ${term}, UK, one-off`)
      await print('one year').focus()
      await page.keyboard.type('29,99')
      await print('six months').focus()
      await page.keyboard.type('1e3')
      await page.keyboard.press('Enter')
      await problems(page).getByText('Print, one year, UK: Must be an amount such as 29.99').waitFor()
      await problems(page).getByText('Print, six months, UK: Must be an amount such as 29.99').waitFor()
      expect(await print('one year').inputValue()).toBe('29,99')
      await print('one year').focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('29.99')
      await page.getByText('£2.50 a month').waitFor()
      await print('six months').fill('')
      await page.getByRole('switch', { name: /^Free.*the digital edition/ }).focus()
      await page.keyboard.press('Space')
      expect(await page.getByLabel('Digital, one year, UK, one-off', { exact: true }).isVisible()).toBe(false)
      await print('one year').focus()
      await next(page, 'questions')

      // The browser's Back is Previous; what was answered is there.
      const heading = (name: string) => page.getByRole('heading', { name, level: 2 }).waitFor()
      await heading('Custom questions')
      await page.goBack()
      await heading('Subscription prices')
      expect(await print('one year').inputValue()).toBe('29.99')
      await page.goForward()
      await heading('Custom questions')
      await page.getByRole('button', { name: 'Previous' }).click()
      await page.waitForURL('**/prices')
      await page.getByRole('button', { name: 'Next', exact: true }).click()
      await page.waitForURL('**/questions')

      // A tab that is closed in the middle of a word loses nothing.
      await page.getByLabel('Question A').pressSequentially('Do you garden?')
      await page.getByText('As the buyer sees it').waitFor()
      await page.close({ runBeforeUnload: false })
      const again = await context.newPage()
      await open(again, '/addpublication')
      await again.getByText('You began this publication before').waitFor()
      await again.getByText(/^Draft saved \d\d:\d\d$/).waitFor()
      await open(again, '/addpublication/questions')
      expect(await again.getByLabel('Question A').inputValue()).toBe('Do you garden?')
      await again.getByRole('button', { name: 'Next', exact: true }).click()
      await again.waitForURL('**/apps')

      await again.getByLabel('Android app').fill('javascript:alert(1)')
      await again.keyboard.press('Enter')
      await problems(again).getByText('Android app: Invalid Web address').waitFor()
      await again.getByLabel('Android app').fill('play.example.test/gardener')
      expect(await again.getByRole('link', { name: /play\.example\.test/ }).getAttribute('href')).toBe(
        'https://play.example.test/gardener',
      )
      await next(again, 'social')
      await again.getByLabel('Facebook').focus()
      await next(again, 'submit')

      // All answers, to be checked; a change leads back here.
      const check = again.getByRole('main')
      await check.getByRole('heading', { name: 'Check your answers' }).waitFor()
      expect(await check.innerText()).toMatch(/Instagram\s+Not provided/)
      expect(await check.innerText()).toMatch(/One year: £29\.99/)
      expect(await check.innerText()).toMatch(/Digital\s+Free/)
      await check.getByRole('link', { name: 'Change social links' }).focus()
      await again.keyboard.press('Enter')
      await again.waitForURL('**/social?change')
      await again.getByLabel('Instagram').fill('https://instagram.com/gardener')
      await again.keyboard.press('Enter')
      await again.waitForURL('**/submit')
      await again.getByText('https://instagram.com/gardener').waitFor()
      expect(await check.innerText()).toContain('/The-Gardener')
      await again.getByRole('button', { name: 'Confirm and Submit' }).focus()
      await again.keyboard.press('Enter')
      await again.waitForURL('**/publications')
      await again.getByText('New Publication added').waitFor()
      await again.getByRole('heading', { name: 'The Gardener & Co' }).waitFor()
      await again.getByText('1 of 1 title').waitFor()
      expect(
        await again.getByAltText('Cover of The Gardener & Co').evaluate((img: HTMLImageElement) => img.naturalWidth),
      ).toBeGreaterThan(0)

      await again.getByRole('link', { name: 'View storefront', exact: true }).click()
      await again.waitForURL('**/The-Gardener')
      await again.getByRole('heading', { name: 'The Gardener & Co' }).waitFor()
      expect(await again.getByRole('main').innerText()).toContain('£29.99')
      expect(await again.getByRole('main').innerText()).toContain('Free')
    })
  })

  it('of two who add the last title at once, one is told that the quota is met, and keeps the draft', async () => {
    const { id, email } = await newPublisher(1)
    const admin = await makeUser(server.services, {
      userType: 'pubadmin',
      email: `admin-of-${id}@example.test`,
      parentPublisherId: id,
    })
    await as(email, async ({ page }) => {
      await as(admin.email, async ({ page: other }) => {
        for (const [tab, name] of [
          [page, `First ${id}`],
          [other, `Second ${id}`],
        ] as const) {
          await open(tab, '/addpublication')
          await fillInfo(tab, name)
          await toStep(tab, allSteps)
        }
        await page.getByRole('button', { name: 'Confirm and Submit' }).click()
        await page.waitForURL('**/publications')
        await other.getByRole('button', { name: 'Confirm and Submit' }).click()
        await other.getByRole('heading', { name: 'Publication Quota Met' }).waitFor()
        await other.getByText('You have 1 of 1 title.').waitFor()
        await other.getByText('What you have written of a new publication is kept').waitFor()
        expect(await faultsOf(other)).toEqual([])
        await open(other, '/publications')
        expect(await other.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([`First ${id}`])
      })
      // The second tab of the same person finds nothing left to submit.
      await open(page, '/addpublication')
      await page.getByRole('heading', { name: 'Publication Quota Met' }).waitFor()
    })
  })

  it('is led from the check to the steps with errors, and can discard the draft', async () => {
    const { email } = await newPublisher(1)
    await as(email, async ({ page }) => {
      await open(page, '/addpublication/social')
      await page.getByLabel('Twitter').fill('not a link')
      await page.getByLabel('Facebook').focus()
      await page.getByText(/^Draft saved/).waitFor()
      await open(page, '/addpublication/submit')
      await page.getByRole('button', { name: 'Confirm and Submit' }).click()
      await problems(page).getByText('Publication not added').waitFor()
      await problems(page).getByText('Please fix the errors and retry').waitFor()
      await page.getByRole('region', { name: 'Messages' }).getByText('Publication not added').waitFor()
      await problems(page).getByRole('link', { name: 'Twitter: Invalid Web address' }).click()
      await page.waitForURL('**/social?change&mend')
      await problems(page).getByRole('link', { name: 'Twitter: Invalid Web address' }).click()
      expect(await focusedId(page)).toBe('field-twitter')
      expect(await page.getByLabel('Twitter').inputValue()).toBe('not a link')
      await page.getByRole('button', { name: 'Discard draft' }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Discard this draft?' })
      expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate((it) => it === document.activeElement)).toBe(
        true,
      )
      await dialog.getByRole('button', { name: 'Discard draft' }).click()
      await page.waitForURL('**/addpublication')
      await page.getByText('Draft discarded').waitFor()
      await open(page, '/addpublication/social')
      expect(await page.getByLabel('Twitter').inputValue()).toBe('')
    })
  })
})

describe('a publication that is there', () => {
  it('is edited from any step; the storefront shows it at once, the handle stays', async () => {
    const { id: publisherId, email } = await newPublisher(3)
    const { id, urlKey } = await makePublication(server.services, { publisherId, publicationName: 'Old Name' })
    await as(email, async ({ page, context }) => {
      const shop = await context.newPage()
      await shop.goto(`/${urlKey}`)
      await shop.getByRole('heading', { name: 'Old Name' }).waitFor()
      await open(page, `/editpublication/${id}`)
      const handle = page.getByLabel('Handle')
      expect(await handle.getAttribute('readonly')).toBe('')
      expect(await handle.inputValue()).toMatch(new RegExp(`/${urlKey}$`))
      expect(await page.getByText('Unsaved changes', { exact: false }).count()).toBe(0)

      // The bar comes with a difference and goes with it.
      const name = page.getByLabel('Name *')
      await name.fill('New Name')
      await name.blur()
      await page.getByText(/^Unsaved changes, kept \d\d:\d\d$/).waitFor()
      await name.fill('Old Name')
      await name.blur()
      await page.getByText(/^Unsaved changes, kept/).waitFor({ state: 'detached' })
      await name.fill('New Name')
      await name.blur()
      await page.getByText(/^Unsaved changes, kept/).waitFor()
      await shop.reload()
      await shop.getByRole('heading', { name: 'Old Name' }).waitFor()

      // Left and come back to.
      await open(page, '/publications')
      await page.getByRole('link', { name: 'Edit Details: Old Name' }).click()
      await page.getByText(/You have unsaved changes from \d\d:\d\d/).waitFor()
      expect(await page.getByLabel('Name *').inputValue()).toBe('New Name')

      // Another step, wrong first; saved from there with what the first step holds.
      await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Prices' }).click()
      await page.waitForURL('**/prices')
      await page.getByLabel('Print, one month, Europe, renews automatically').fill('-1')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await problems(page).getByText('Publication not updated').waitFor()
      await page.getByLabel('Print, one month, Europe, renews automatically').fill('4.50')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.waitForURL('**/publications')
      await page.getByText('Publication updated successfully').waitFor()
      await shop.goto(`/${urlKey}?country=FR`)
      await shop.getByRole('heading', { name: 'New Name' }).waitFor()
      expect(await shop.getByRole('main').innerText()).toContain('€4.50')

      await open(page, `/editpublication/${id}/submit`)
      await page.getByRole('switch', { name: /Do you sell back issues\?/ }).check()
      await page.getByText('the storefront sells them').waitFor()
      await page.getByRole('button', { name: 'Confirm and Submit' }).click()
      await page.waitForURL('**/publications')
      const [row] = await server.services.db.query<{ sells: unknown }>(
        `SELECT sells_back_issues AS sells FROM publications WHERE id = :id`,
        { id },
      )
      expect(Number(row?.sells)).toBe(1)
    })
  })

  it('is removed after a question, comes back by Undo and from the list of removed ones', async () => {
    const { id: publisherId, email } = await newPublisher(1)
    const { id, urlKey } = await makePublication(server.services, { publisherId, publicationName: 'Short Lived' })
    await as(email, async ({ page, context }) => {
      const shop = await context.newPage()
      const status = async () => (await shop.goto(`/${urlKey}`))?.status()
      expect(await status()).toBe(200)
      await open(page, '/publications')
      const remove = page.getByRole('link', { name: 'Remove Publication: Short Lived' })
      await remove.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('alertdialog', { name: "Remove 'Short Lived'?" })
      await dialog.getByText('Are you sure you want to remove this Publication?').waitFor()
      expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate((it) => it === document.activeElement)).toBe(
        true,
      )
      expect(await faultsOf(page)).toEqual([])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.waitForFunction(() =>
        document.activeElement?.getAttribute('aria-label')?.startsWith('Remove Publication'),
      )
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Remove publication' }).click()
      await page.getByText('No Publications found for this User').waitFor()
      await page.getByText("Removed 'Short Lived'").waitFor()
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
      expect(await status()).toBe(404)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText("Brought 'Short Lived' back").waitFor()
      expect(await status()).toBe(200)

      // Later: from the list; and not while another title stands in its place.
      await server.services.db.run(`UPDATE publications SET removed_at = :now WHERE id = :id`, {
        now: server.services.now(),
        id,
      })
      const other = await makePublication(server.services, { publisherId, publicationName: 'In Its Place' })
      await open(page, '/publications')
      await page.getByRole('button', { name: 'Bring back Short Lived' }).click()
      await page.getByText('Publication Quota Met').waitFor()
      await page.getByText('You have 1 of 1 titles. Please contact support to add more.').waitFor()
      await server.services.db.run(`DELETE FROM publications WHERE id = :id`, { id: other.id })
      await open(page, '/publications')
      await page.getByRole('button', { name: 'Bring back Short Lived' }).click()
      await page.getByRole('heading', { name: 'Short Lived', exact: true }).waitFor()
    })
  })
})

describe('without scripts', () => {
  it('a publication is added, edited, removed and brought back', async () => {
    const { email } = await newPublisher(1)
    await as(
      email,
      async ({ page }) => {
        await page.goto('/publications')
        await page.getByRole('link', { name: 'Add publication' }).first().click()
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await problems(page).getByRole('link', { name: 'Name: Required' }).waitFor()
        await fillInfo(page, 'Plain')
        await page.getByLabel('Handle').fill('plain-paper')
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        expect(pathOf(page)).toBe('/addpublication/prices')
        await page.getByLabel('Print, one year, UK, one-off').fill('12')
        await page.getByRole('button', { name: 'Previous' }).click()
        expect(pathOf(page)).toBe('/addpublication/images')
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        expect(await page.getByLabel('Print, one year, UK, one-off').inputValue()).toBe('12')
        // A free product hides its prices by style alone.
        await page.getByRole('switch', { name: /the printed issue/ }).check()
        expect(await page.getByLabel('Print, one year, UK, one-off').isVisible()).toBe(false)
        await page.getByRole('switch', { name: /the printed issue/ }).uncheck()
        for (const _ of allSteps.slice(2)) await page.getByRole('button', { name: 'Next', exact: true }).click()
        await page.getByRole('button', { name: 'Confirm and Submit' }).click()
        expect(pathOf(page)).toBe('/publications')
        await page.getByRole('status').getByText('New Publication added').waitFor()

        await page.getByRole('link', { name: 'Edit Details: Plain' }).click()
        await page.getByLabel('Name *').fill('Plainer')
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        await page.getByRole('button', { name: 'Save changes' }).click()
        await page.getByRole('heading', { name: 'Plainer' }).waitFor()

        await page.getByRole('link', { name: 'Remove Publication: Plainer' }).click()
        await page.getByText('Are you sure you want to remove this Publication?').waitFor()
        await page.getByRole('button', { name: 'Remove publication' }).click()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('heading', { name: 'Plainer' }).waitFor()
      },
      { javaScriptEnabled: false },
    )
  })
})

describe('every screen', () => {
  for (const width of [1280, 360]) {
    it(`reads well and is accessible at ${width} px`, async () => {
      const { id: publisherId, email } = await newPublisher(3)
      const { id } = await makePublication(server.services, {
        publisherId,
        publicationName: 'The Gardener’s Quarterly Companion and Almanack for the North-West',
        coverImage: 'demo/harbour-light-cover.svg',
        color: '#F2C200',
      })
      await makePublication(server.services, { publisherId, publicationName: 'Gone', removedAt: new Date() })
      await as(
        email,
        async ({ page }) => {
          const shots = process.env.SCREENSHOTS
          for (const path of [
            '/publications',
            `/publications?remove=${id}`,
            '/addpublication',
            ...allSteps.map((step) => `/addpublication/${step}`),
            `/editpublication/${id}`,
            `/editpublication/${id}/submit`,
          ]) {
            await open(page, path)
            expect([path, await faultsOf(page)]).toEqual([path, []])
            if (shots)
              await page.screenshot({ path: `${shots}${path.replaceAll(/\W+/g, '-')}-${width}.png`, fullPage: true })
          }
          await open(page, '/addpublication')
          await page.getByLabel('Handle').fill('two words')
          await page.getByRole('button', { name: 'Next', exact: true }).click()
          await problems(page).waitFor()
          expect(await faultsOf(page)).toEqual([])
          if (shots) await page.screenshot({ path: `${shots}/refused-${width}.png`, fullPage: true })
        },
        { width },
      )
    }, 300_000)
  }
})
