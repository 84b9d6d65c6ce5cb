import type { Browser, Cookie, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedDrain } from '#core/platform/queue/embedded-drain.ts'
import {
  faultsOf,
  hydrated,
  openBrowser,
  openPage,
  type PageOptions,
  type WatchedPage,
} from '#tests/support/browser.ts'
import { pngOf } from '#tests/support/pictures.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'
import { handlers } from '#worker/handlers/index.ts'

let server: TestServer
let browser: Browser
let stopDrain: () => Promise<void>

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startTestServer(), openBrowser()])
  const drain = startEmbeddedDrain(server.services, handlers, 100)
  stopDrain = () => drain.stop()
})
// One address logs in and orders here more often than anyone may.
beforeEach(() => server.services.db.run(`DELETE FROM rate_limits`))
afterAll(async () => {
  await browser?.close()
  await stopDrain?.()
  await server?.stop()
})

/** A page, watched, closed at its end whatever happens; nothing in it may have broken. */
async function onPage(
  work: (page: Page, watched: WatchedPage) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  const watched = await openPage(browser, { baseURL: server.url, ...options })
  try {
    await work(watched.page, watched)
    expect(watched.problems()).toEqual([])
  } finally {
    await watched.context.close()
  }
}

const sessions = new Map<string, Cookie[]>()

async function as(
  role: string,
  work: (page: Page) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  await onPage(async (page, { context }) => {
    const cookies = sessions.get(role)
    if (cookies) await context.addCookies(cookies)
    else {
      await page.goto('/login')
      await page.getByLabel('Email/Username').fill(`${role}@demo.masthead.test`)
      await page.getByLabel('Password', { exact: true }).fill('masthead')
      await page.getByRole('button', { name: 'Log In' }).click()
      await page.waitForURL((url) => url.pathname !== '/login')
      sessions.set(role, await context.cookies())
    }
    await work(page)
  }, options)
}

const box = (page: Page, name: string) => page.locator(`[id="field-${name}"]`)
const card = (page: Page, volume: string) => page.locator('li.card', { hasText: volume })
const payButton = (page: Page) => page.locator('form#issue-order button[type=submit]:visible').last()
const tick = (page: Page, volume: string) => page.getByRole('checkbox', { name: volume })
const good = '4242 4242 4242 4242'
const bad = '4000 0000 0000 0002'

async function idOf(volume: string): Promise<number> {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM back_issues WHERE volume = :volume AND removed_at IS NULL`,
    { volume },
  )
  return row?.id ?? 0
}

async function stockOf(volume: string): Promise<number | null | undefined> {
  const [row] = await server.services.db.query<{ stock: number | null }>(
    `SELECT stock FROM back_issues WHERE volume = :volume AND removed_at IS NULL`,
    { volume },
  )
  return row?.stock
}

/** An issue of the demo's magazine that is there for one test. */
async function putOnSale(volume: string, stock: number | null): Promise<void> {
  await server.services.db.run(
    `INSERT INTO back_issues (publication_id, volume, description, stock, price, postage, price_us, created_at, updated_at)
     SELECT id, :volume, 'Made for a test', :stock, 650, 150, 900, created_at, updated_at FROM publications WHERE url_key = 'harbour-light'`,
    { volume, stock },
  )
}

/** The shop's page, once it shows the issue: a page of a moment ago is kept for a few seconds. */
async function openShop(page: Page, volume: string, search = ''): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.goto(`/harbour-light/issues${search}`)
        return tick(page, volume).count()
      },
      { timeout: 15_000 },
    )
    .toBe(1)
}

async function fillIn(page: Page, email: string, number: string): Promise<void> {
  const values = {
    firstName: 'Zoë',
    lastName: "O'Brien",
    email,
    confirmEmail: email,
    password: 'a-long-password',
    'billing.addressOne': '1 Quay Street',
    'billing.postCode': 'TR11 3LH',
    'payment.cardNumber': number,
  }
  for (const [name, value] of Object.entries(values)) await box(page, name).fill(value)
}

describe('the back issue screens', () => {
  it.each([360, 1280])('have no faults at %i pixels', async (width) => {
    const [{ id } = { id: 0 }] = await server.services.db.query<{ id: number }>(`SELECT MIN(id) AS id FROM back_issues`)
    await as(
      'publisher',
      async (page) => {
        for (const address of ['/backIssues', '/addbackIssue', `/editBackIssue/${id}`, `/backIssues/${id}/cover`]) {
          await page.goto(address)
          await hydrated(page)
          expect([address, await faultsOf(page)]).toEqual([address, []])
        }
        await page.goto('/addbackIssue')
        await hydrated(page)
        await page.getByRole('button', { name: 'Add Back Issue' }).click()
        await page.getByRole('alert').getByText('Volume: Required').waitFor()
        expect(await page.title()).toMatch(/^Error: /)
        expect(await faultsOf(page)).toEqual([])
      },
      { width },
    )
  })

  it('add an issue with its cover, all mistakes said at once and what was typed kept; change it; remove it', async () => {
    await as('pubadmin', async (page) => {
      await page.goto('/backIssues')
      await hydrated(page)
      await page.getByRole('link', { name: 'Add back issue' }).click()
      await page.getByRole('heading', { name: 'Back Issue Details' }).waitFor()
      await box(page, 'publicationId').selectOption({ label: 'Harbour Light' })
      await box(page, 'description').fill('x'.repeat(499))
      await page.getByText('499 of 500 characters').waitFor()
      await box(page, 'stock').fill('many')
      await box(page, 'price').fill('6,50')
      await box(page, 'priceEu').fill('0')
      await box(page, 'cover').setInputFiles({ name: 'c.png', mimeType: 'image/png', buffer: await pngOf(600, 800) })
      await page.getByRole('button', { name: 'Add Back Issue' }).click()
      const summary = page.getByRole('alert')
      for (const text of [
        'Volume: Required',
        'Stock: Must be a number',
        'United Kingdom, price: Must be an amount such as 29.99',
        'Europe, price: Leave it empty where it is not for sale',
      ])
        await summary.getByText(text).waitFor()
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert')
      await summary.getByText('Stock: Must be a number').click()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-stock')
      expect(await box(page, 'description').inputValue()).toHaveLength(499)
      await box(page, 'volume').fill('Storm special')
      await box(page, 'stock').fill('2')
      await box(page, 'price').fill('£6.50')
      await box(page, 'postage').fill('1.5')
      await box(page, 'priceEu').fill('')
      await page.getByRole('button', { name: 'Add Back Issue' }).click()
      await page.getByText('New Back Issue added').waitFor()
      const added = card(page, 'Storm special')
      expect(await added.innerText()).toMatch(
        /Stock: 2 copies left[\s\S]*0 sold[\s\S]*£6\.50 \+ £1\.50 postage[\s\S]*Not sold/,
      )
      // The cover that was chosen before the mistakes were mended.
      expect(await added.locator('img').getAttribute('src')).toMatch(/^\/images\//)

      // The old spelling of the address works as well.
      const id = await idOf('Storm special')
      for (const address of [`/editbackissue/${id}`, `/EditbackIssue/${id}`]) {
        expect((await page.goto(address))?.status()).toBe(200)
        expect(await box(page, 'volume').inputValue()).toBe('Storm special')
      }
      await hydrated(page)
      expect(await box(page, 'price').inputValue()).toBe('6.50')
      await server.services.db.run(`UPDATE back_issues SET stock = 1 WHERE id = :id`, { id })
      await box(page, 'stock').fill('5')
      await page.getByRole('button', { name: 'Update Back Issue' }).click()
      await page.getByRole('alert').getByText('It is 1 copy now').waitFor()
      await page.getByRole('button', { name: 'Update Back Issue' }).click()
      await page.getByText('The Back Issue has updated').waitFor()
      expect(await card(page, 'Storm special').innerText()).toContain('Stock: 5 copies left')

      await card(page, 'Storm special').getByRole('link', { name: 'Change Cover Image' }).click()
      await box(page, 'image').setInputFiles({ name: 'd.png', mimeType: 'image/png', buffer: await pngOf(300, 400) })
      const before = await coverOf(id)
      await page.getByRole('button', { name: 'Save cover image' }).click()
      await page.getByText('Back Issue Image updated').waitFor()
      expect(await coverOf(id)).not.toBe(before)

      const remove = card(page, 'Storm special').getByRole('link', { name: 'Remove Back Issue' })
      await remove.focus()
      await page.keyboard.press('Enter')
      const question = page.getByRole('alertdialog')
      await question.getByText('Are you sure you want to remove this Back Issue?').waitFor()
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
      await page.keyboard.press('Escape')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Remove Back Issue')
      await remove.click()
      await question.getByRole('button', { name: 'Remove back issue' }).click()
      await page.getByText('The Back Issue has deleted').waitFor()
      expect(await card(page, 'Storm special').count()).toBe(0)
    })
  })

  it('work without JavaScript: adding, a mistake, removing with the question on the page', async () => {
    await as(
      'publisher',
      async (page) => {
        await page.goto('/addbackIssue')
        await box(page, 'publicationId').selectOption({ label: 'Harbour Light' })
        await page.getByRole('button', { name: 'Add Back Issue' }).click()
        expect(await page.locator('main').innerText()).toContain('Volume: Required')
        await box(page, 'volume').fill('Plain paper')
        await page.getByRole('button', { name: 'Add Back Issue' }).click()
        await page.waitForURL('**/backIssues')
        expect(await card(page, 'Plain paper').innerText()).toContain('Stock: Unlimited')
        await card(page, 'Plain paper').getByRole('link', { name: 'Remove Back Issue' }).click()
        await page.getByRole('heading', { name: "Remove 'Plain paper'?" }).waitFor()
        await page.getByRole('button', { name: 'Remove back issue' }).click()
        expect(await idOf('Plain paper')).toBe(0)
      },
      { javaScriptEnabled: false, width: 360 },
    )
  })

  it('tell a publisher without issues from one whose publications sell none', async () => {
    const { db } = server.services
    await db.run(`UPDATE back_issues SET removed_at = updated_at WHERE removed_at IS NULL`)
    await as('publisher', async (page) => {
      await page.goto('/backIssues')
      await page.getByText('No Back issue found for this User').waitFor()
      await db.run(`UPDATE publications SET sells_back_issues = :no`, { no: false })
      await page.goto('/backIssues')
      await page.getByText("You don't have any publications which sells back issues").waitFor()
      expect(await faultsOf(page)).toEqual([])
      await page.goto('/addbackIssue')
      expect(await page.getByRole('link', { name: 'Go to publications' }).count()).toBe(1)
    })
    await db.run(`UPDATE publications SET sells_back_issues = :yes WHERE url_key <> 'slow-steam'`, { yes: true })
    await db.run(`UPDATE back_issues SET removed_at = NULL WHERE volume NOT IN ('Storm special', 'Plain paper')`)
  })
})

async function coverOf(id: number): Promise<string | null | undefined> {
  const [row] = await server.services.db.query<{ cover_image: string | null }>(
    `SELECT cover_image FROM back_issues WHERE id = :id`,
    { id },
  )
  return row?.cover_image
}

describe('the shop', () => {
  it.each([360, 1280])('of individual issues has no faults at %i pixels, fresh and refused', async (width) => {
    await onPage(
      async (page) => {
        await page.goto('/harbour-light')
        await page.getByRole('link', { name: 'Buy individual issues' }).click()
        await page.getByRole('heading', { name: 'Individual issues of Harbour Light' }).waitFor()
        await hydrated(page)
        expect(await faultsOf(page)).toEqual([])
        await page.getByRole('checkbox').and(page.locator('[name=backIssues]:enabled')).first().check()
        await box(page, 'billing.addressOne').fill('1 Quay Street')
        await box(page, 'billing.postCode').fill('TR11 3LH')
        await payButton(page).click()
        await page.getByRole('alert').getByText('Card number: Required').waitFor()
        expect(await faultsOf(page)).toEqual([])
        await page.getByRole('link', { name: 'Back to subscriptions' }).click()
        await page.getByText('Choose your subscription').waitFor()
      },
      { width },
    )
  })

  it('is not offered where nothing is sold copy by copy', async () => {
    await onPage(async (page) => {
      await page.goto('/slow-steam')
      expect(await page.getByRole('link', { name: 'Buy individual issues' }).count()).toBe(0)
      expect((await page.goto('/slow-steam/issues'))?.status()).toBe(200)
      await page.getByText('There are no individual issues to buy at the moment.').waitFor()
      expect(await faultsOf(page)).toEqual([])
      expect((await page.goto('/no-such-title/issues'))?.status()).toBe(404)
    })
  })

  it('adds up by keyboard, splits off the postage, says what is still needed, and follows the country', async () => {
    await putOnSale('Counted', 3)
    await putOnSale('Sold out', 0)
    await onPage(async (page) => {
      await openShop(page, 'Counted')
      await hydrated(page)
      expect(await tick(page, 'Sold out').isDisabled()).toBe(true)
      await page.getByText('Out of stock').first().waitFor()
      await page.getByText('Still needed: at least one issue, address line 1').waitFor()
      expect(await payButton(page).getAttribute('aria-disabled')).toBe('true')
      await tick(page, 'Counted').focus()
      await page.keyboard.press('Space')
      const summary = page.getByRole('region', { name: 'Your order' })
      await summary.getByText('1 issue chosen').waitFor()
      expect(await summary.innerText()).toMatch(/Issues\s+£6\.50\s+Postage\s+£1\.50\s+Total\s+£8\.00 GBP/)
      await box(page, 'billing.addressOne').fill('1 Quay Street')
      await box(page, 'billing.postCode').fill('TR11 3LH')
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBe(null)
      expect(await payButton(page).innerText()).toBe('Pay £8.00')
      await box(page, 'country').selectOption('NO')
      await expect.poll(() => payButton(page).innerText()).toBe('Pay $9.00')
      expect(await box(page, 'billing.addressOne').inputValue()).toBe('1 Quay Street')
      await box(page, 'country').selectOption('FR')
      await expect
        .poll(() =>
          payButton(page)
            .innerText()
            .catch(() => 'Pay'),
        )
        .toBe('Pay')
    })
  })

  it('sells a copy: declined, then paid; the page after it, its reload, the mails, the ledger and the sold count say so', async () => {
    await putOnSale('Winter storms', 1)
    await onPage(async (page) => {
      await openShop(page, 'Winter storms')
      await hydrated(page)
      await tick(page, 'Winter storms').check()
      await fillIn(page, 'first@example.test', bad)
      await payButton(page).click()
      await page.getByRole('alert').getByText('Sorry your payment has been declined').waitFor()
      expect(await stockOf('Winter storms')).toBe(1)
      expect(await tick(page, 'Winter storms').isChecked()).toBe(true)
      await box(page, 'payment.cardNumber').fill(good)
      await payButton(page).dblclick()
      await page.waitForURL('**/ordersuccess?**')
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      const text = await page.locator('main').innerText()
      expect(text).toMatch(/Winter storms\s+£6\.50 \+ £1\.50 postage[\s\S]*£8\.00 GBP/)
      expect(text).not.toMatch(/Starts|Ends|Renews|next issue on/)
      expect(await faultsOf(page)).toEqual([])
      await page.reload()
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      expect(await stockOf('Winter storms')).toBe(0)
      const number = new URL(page.url()).searchParams.get('orderNumber') ?? ''
      const orders = await server.services.db.query<{ id: number; reader_id: number | null }>(
        `SELECT id, reader_id FROM orders WHERE email = 'first@example.test' AND state = 'paid'`,
      )
      expect(orders).toMatchObject([{ reader_id: null }])
      await expect
        .poll(async () => {
          const mails = (await server.services.mail.kept?.list(9)) ?? []
          return mails.filter((mail) => mail.subject.includes(number)).length
        })
        .toBe(2)
      await as('publisher', async (office) => {
        await office.goto(`/payments?q=${number}`)
        await office.getByText('Back issue: Winter storms').first().waitFor()
        expect(await faultsOf(office)).toEqual([])
        await office.goto(`/orderDetails/${orders[0]?.id}`)
        expect(await office.locator('main').innerText()).toMatch(
          /Winter storms\s+£6\.50\s+Winter storms, postage\s+£1\.50\s+Total\s+£8\.00 GBP\s+Fulfilled\s+£8\.00\s+Liability\s+£0\.00/,
        )
        expect(await faultsOf(office)).toEqual([])
        await office.goto('/backIssues')
        expect(await card(office, 'Winter storms').innerText()).toMatch(/Stock: 0 copies left[\s\S]*1 sold/)
      })
    })
  })

  it('tells the second of two that the last copy is gone, and sells the rest of the order', async () => {
    await putOnSale('Last copy', 1)
    await putOnSale('Plenty', null)
    await onPage(async (page) => {
      await openShop(page, 'Plenty')
      await hydrated(page)
      await tick(page, 'Last copy').check()
      await tick(page, 'Plenty').check()
      await server.services.db.run(`UPDATE back_issues SET stock = 0 WHERE volume = 'Last copy'`)
      await fillIn(page, 'second@example.test', good)
      await payButton(page).click()
      await page.getByRole('alert').getByText('“Last copy” is out of stock.').waitFor()
      await expect.poll(() => payButton(page).innerText()).toBe('Pay £8.00')
      await box(page, 'payment.cardNumber').fill(good)
      await payButton(page).click()
      await page.waitForURL('**/ordersuccess?**')
      expect(await page.locator('main').innerText()).toContain('£8.00 GBP')
    })
  })

  it('works without JavaScript: country, total, a total that was not seen, the order', async () => {
    await putOnSale('Paper only', 5)
    await onPage(
      async (page) => {
        await openShop(page, 'Paper only', '?country=GB')
        await box(page, 'country').selectOption('US')
        await page.getByRole('button', { name: 'Show prices' }).click()
        await page.waitForURL('**/issues?country=US')
        await tick(page, 'Paper only').check()
        await page.getByRole('button', { name: 'Work out the total' }).click()
        expect(await page.locator('main').innerText()).toContain('$9.00 USD')
        expect(await payButton(page).innerText()).toBe('Pay $9.00')
        await tick(page, 'Plenty').check()
        await fillIn(page, 'noscript@example.test', good)
        await payButton(page).click()
        expect(await page.locator('main').innerText()).toContain(
          'The total is $18.00. Please check it and order again.',
        )
        expect(await payButton(page).innerText()).toBe('Pay $18.00')
        await box(page, 'password').fill('a-long-password')
        await box(page, 'payment.cardNumber').fill(good)
        await payButton(page).click()
        await page.waitForURL('**/ordersuccess?**')
        expect(await page.locator('main').innerText()).toContain('$18.00 USD')
        expect(await stockOf('Paper only')).toBe(4)
      },
      { javaScriptEnabled: false, width: 360 },
    )
  })
})
