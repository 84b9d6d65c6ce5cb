import type { Browser, Cookie, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  faultsOf,
  hydrated,
  openBrowser,
  openPage,
  type PageOptions,
  type WatchedPage,
} from '#tests/support/browser.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

let server: TestServer
let browser: Browser
let publicationId: number

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startTestServer(), openBrowser()])
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = row?.id ?? 0
})

// One address logs in here more often than anyone may.
beforeEach(() => server.services.db.run(`DELETE FROM rate_limits`))

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

type Role = 'super' | 'reseller' | 'publisher' | 'pubadmin' | 'admin' | 'mailer'

/** A page, watched, closed at its end whatever happens; nothing in it may have broken. */
async function onPage(
  work: (watched: WatchedPage) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  const watched = await openPage(browser, { baseURL: server.url, ...options })
  try {
    await work(watched)
    expect(watched.problems()).toEqual([])
  } finally {
    await watched.context.close()
  }
}

async function logIn(page: Page, role: Role, returnTo = ''): Promise<void> {
  await page.goto(
    `${role === 'super' ? '/slogin' : '/login'}${returnTo && `?returnTo=${encodeURIComponent(returnTo)}`}`,
  )
  await page.getByLabel('Email/Username').fill(`${role}@demo.masthead.test`)
  await page.getByLabel('Password', { exact: true }).fill('masthead')
  await page.getByRole('button', { name: 'Log In' }).click()
  await page.waitForURL((url) => !/^\/s?login/.test(url.pathname))
  await hydrated(page)
}

const sessions = new Map<Role, Cookie[]>()

/** A page of someone signed in already; the session is made once. */
async function asRole(
  role: Role,
  work: (watched: WatchedPage) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  await onPage(async (watched) => {
    const cookies = sessions.get(role)
    if (cookies) await watched.context.addCookies(cookies)
    else await logIn(watched.page, role)
    sessions.set(role, await watched.context.cookies())
    await work(watched)
  }, options)
}

function as(
  role: Role | null,
  work: (watched: WatchedPage) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  return role ? asRole(role, work, options) : onPage(work, options)
}

const pathOf = (page: Page) => new URL(page.url()).pathname
const rowsOf = (page: Page) => page.locator('tbody tr')
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

describe('logging in', () => {
  it('says what is wrong in one place, keeps the email and takes the focus there', () =>
    onPage(async ({ page }) => {
      await page.goto('/login')
      await hydrated(page)
      await page.getByLabel('Email/Username').fill('publisher@demo.masthead.test')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      expect(await page.getByRole('alert').innerText()).toBe('The email or the password is not right')
      expect(await focused(page)).toBe('The email or the password is not right')
      expect(await page.getByLabel('Email/Username').inputValue()).toBe('publisher@demo.masthead.test')
      expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('wrong')
      await page.getByRole('link', { name: 'The email or the password is not right' }).click()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-password')
    }))

  it('works without scripts', () =>
    onPage(
      async ({ page }) => {
        await page.goto('/login?returnTo=/payments')
        await page.getByRole('button', { name: 'Log In' }).click()
        expect(await page.getByRole('alert').innerText()).toContain('Required')
        await page.getByLabel('Email/Username').fill('publisher@demo.masthead.test')
        await page.getByLabel('Password', { exact: true }).fill('masthead')
        await page.getByRole('button', { name: 'Log In' }).click()
        expect(pathOf(page)).toBe('/payments')
        expect(await rowsOf(page).count()).toBe(10)
      },
      { javaScriptEnabled: false },
    ))

  it('shows the password on demand', () =>
    onPage(async ({ page }) => {
      await page.goto('/login')
      await hydrated(page)
      const box = page.getByLabel('Password', { exact: true })
      await box.fill('secret')
      await page.getByRole('button', { name: 'Show the password' }).click()
      expect(await box.getAttribute('type')).toBe('text')
      await page.getByRole('button', { name: 'Hide the password' }).click()
      expect(await box.getAttribute('type')).toBe('password')
    }))

  it('comes back to the page that was asked for, and never to another site', () =>
    onPage(async ({ page, context }) => {
      await page.goto(`/searchreaders/${publicationId}?q=smith`)
      expect(pathOf(page)).toBe('/login')
      await page.getByLabel('Email/Username').fill('publisher@demo.masthead.test')
      await page.getByLabel('Password', { exact: true }).fill('masthead')
      await page.getByRole('button', { name: 'Log In' }).click()
      await page.waitForURL(`**/searchreaders/${publicationId}?q=smith`)
      await context.clearCookies()
      await logIn(page, 'publisher', '//evil.test')
      expect(page.url()).toBe(`${server.url}/dashboard`)
    }))

  it('takes each role to its own place and keeps it out of the others', async () => {
    const landing = {
      super: '/publishers',
      reseller: '/publishers',
      publisher: '/dashboard',
      pubadmin: '/dashboard',
      admin: '/readers',
      mailer: '/readers',
    }
    for (const [role, home] of Object.entries(landing) as [Role, string][]) {
      await asRole(role, async ({ page }) => {
        await page.goto('/login')
        expect(pathOf(page), role).toBe(home)
        await page.goto('/')
        expect(pathOf(page), role).toBe(home)
        await page.goto('/payments')
        expect(pathOf(page), role).toBe(home === '/dashboard' ? '/payments' : home)
        await page.goto('/publishers')
        expect(pathOf(page), role).toBe(home === '/publishers' ? '/publishers' : home)
        await page.goto(`/searchreaders/${publicationId}`)
        expect(pathOf(page), role).toBe(
          ['super', 'reseller'].includes(role)
            ? '/publishers'
            : role === 'mailer'
              ? '/readers'
              : `/searchreaders/${publicationId}`,
        )
      })
    }
  })

  it('keeps superusers and the rest to their own doors', () =>
    onPage(async ({ page }) => {
      for (const [door, email] of [
        ['/login', 'super'],
        ['/slogin', 'publisher'],
      ]) {
        await page.goto(String(door))
        await page.getByLabel('Email/Username').fill(`${email}@demo.masthead.test`)
        await page.getByLabel('Password', { exact: true }).fill('masthead')
        await page.getByRole('button', { name: 'Log In' }).click()
        await page.getByRole('alert').waitFor()
        expect(pathOf(page)).toBe(door)
      }
    }))

  it('ends on the server with logging out', () =>
    onPage(async ({ page, context }) => {
      await logIn(page, 'publisher')
      const cookies = await context.cookies()
      expect(cookies).toMatchObject([{ name: 'masthead-session', httpOnly: true, sameSite: 'Lax' }])
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.waitForURL('**/login?reason=left')
      await context.addCookies(cookies)
      await page.goto('/dashboard')
      expect(pathOf(page)).toBe('/login')
      expect(await page.locator('main').innerText()).toContain('Your session has ended')
    }))
})

describe('readers', () => {
  it('lists a publication with what each role may do', async () => {
    await asRole('publisher', async ({ page }) => {
      await page.goto('/readers')
      const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Harbour Light' }) })
      expect(await card.getByRole('link').allTextContents()).toEqual([
        'Download Current Mailing File',
        'Download Entire Database',
        'Search Readers',
      ])
    })
    await asRole('mailer', async ({ page }) => {
      await page.goto('/readers')
      expect(new Set(await page.locator('main').getByRole('link').allTextContents())).toEqual(
        new Set(['Download Current Mailing File']),
      )
    })
    await asRole('admin', async ({ page }) => {
      await page.goto('/readers')
      expect(new Set(await page.locator('main').getByRole('link').allTextContents())).toEqual(
        new Set(['Search Readers']),
      )
    })
  })

  it('finds, sorts and pages on the server, and keeps it all in the address', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/searchreaders/${publicationId}`)
      await hydrated(page)
      const [{ n } = { n: 0 }] = await server.services.db.query<{ n: number }>(
        `SELECT COUNT(*) AS n FROM readers WHERE publication_id = :publicationId`,
        {
          publicationId,
        },
      )
      const all = `${n.toLocaleString('en-GB')} readers`
      expect(await rowsOf(page).count()).toBe(10)
      await page.getByRole('status').filter({ hasText: all }).waitFor()

      const [last] = await server.services.db.query<{ unique_reference: string }>(
        `SELECT unique_reference FROM readers WHERE publication_id = :publicationId ORDER BY unique_reference DESC LIMIT 1`,
        { publicationId },
      )
      const reference = page.getByRole('columnheader', { name: 'Unique reference' })
      await reference.getByRole('link').focus()
      await page.keyboard.press('Enter')
      await page.waitForURL('**sort=reference')
      await page.locator('th[aria-sort="ascending"]', { hasText: 'Unique reference' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**sort=-reference')
      await rowsOf(page)
        .first()
        .filter({ hasText: String(last?.unique_reference) })
        .waitFor()
      await page.locator('th[aria-sort="descending"]', { hasText: 'Unique reference' }).waitFor()

      await page.getByRole('link', { name: 'Page 2', exact: true }).click()
      await page.waitForURL('**page=2**')
      await page.getByLabel('Rows').selectOption('25')
      await page.waitForURL('**size=25**')
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 25)
      expect(page.url()).toContain('sort=-reference')

      await page.getByRole('searchbox', { name: 'Filter readers' }).fill('smi')
      await page.waitForURL('**q=smi**')
      await page
        .getByRole('status')
        .filter({ hasText: `of ${all}` })
        .waitFor()
      const names = await rowsOf(page).locator('td:first-child').allInnerTexts()
      expect(names.length).toBeGreaterThan(0)
      const before = page.url()
      await page.reload()
      await hydrated(page)
      expect(await page.getByRole('searchbox', { name: 'Filter readers' }).inputValue()).toBe('smi')
      expect(await rowsOf(page).locator('td:first-child').allInnerTexts()).toEqual(names)

      await rowsOf(page).first().getByRole('link').click()
      await page.waitForURL('**/editreader/**')
      await page.goBack()
      await page.waitForURL(before)
      await page.getByRole('link', { name: 'Remove the filter “smi”' }).click()
      await page.getByRole('status').filter({ hasText: all }).waitFor()
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[type=search]')?.value === '')
    }))

  it('searches by six fields, and says when nobody fits or nothing was asked', () =>
    asRole('admin', async ({ page }) => {
      const [reader] = await server.services.db.query<{
        id: number
        last_name: string
        post_code: string
        unique_reference: string
      }>(
        `SELECT id, last_name, post_code, unique_reference FROM readers
         WHERE publication_id = :publicationId AND key_surname <> '' AND key_post_code <> '' ORDER BY id LIMIT 1 OFFSET 40`,
        { publicationId },
      )
      await page.goto(`/searchreaders/${publicationId}`)
      await hydrated(page)
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('alert').filter({ hasText: 'Fill in at least one field' }).waitFor()
      await page.getByRole('textbox', { name: 'Last name' }).fill(String(reader?.last_name).toUpperCase())
      await page.getByRole('textbox', { name: 'Postcode' }).fill(String(reader?.post_code).toLowerCase())
      await page.getByRole('button', { name: 'Search' }).click()
      await page.waitForURL('**lastName=**')
      await rowsOf(page)
        .filter({ hasText: String(reader?.unique_reference) })
        .waitFor()
      await page.getByRole('textbox', { name: 'Last name' }).fill('zzzz nobody')
      await page.keyboard.press('Enter')
      await page.getByText('No record matches your search').waitFor()
      await page.getByRole('link', { name: 'Show all readers' }).click()
      await page.getByRole('searchbox', { name: 'Filter readers' }).fill('zzzz nobody')
      await page.getByText('There were no readers found for your search query').waitFor()
    }))

  it('answers 404 for a publication, reader or order of nobody, with the menu still there', () =>
    asRole('publisher', async ({ page }) => {
      for (const path of [
        '/searchreaders/999999',
        '/searchreaders/x',
        '/editreader/999999999',
        '/orderDetails/1e9',
        '/no-such-page/at-all',
      ]) {
        const answer = await page.goto(path)
        expect(answer?.status(), path).toBe(404)
        expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Page not found')
        expect(await page.title()).toBe('Page not found – Masthead')
        if (path !== '/no-such-page/at-all')
          expect(await page.getByRole('navigation', { name: 'Main menu' }).count()).toBe(1)
      }
    }))

  it('downloads the mailing file and the whole database', () =>
    asRole('publisher', async ({ page, context }) => {
      await page.goto('/readers')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download Current Mailing File: Harbour Light' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^Harbour[ _]Light[ _]?\d{5,8}\.csv$/)
      const text = await (await context.request.get(`/readers/${publicationId}/mailing-file.csv`)).text()
      expect(text.startsWith('\uFEFF')).toBe(true)
      expect(text.trim().split('\r\n').length).toBeGreaterThan(100)
      const whole = await context.request.get(`/readers/${publicationId}/all.csv`)
      expect(whole.headers()).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' })
      expect(whole.headers()['content-disposition']).toMatch(
        /^attachment; filename="Harbour[ _]Light[^"]*\.csv"; filename\*=UTF-8''Harbour/,
      )
      expect((await whole.text()).split('\r\n')[0]).toContain('BuyerId,UniqueReference')
      expect((await context.request.get('/readers/999999/all.csv')).status()).toBe(404)
      await page.reload()
      expect(await page.locator('main').innerText()).toContain('Last mailing file:')
    }))
})

describe('sales ledger', () => {
  it('sorts, filters by what is typed, sums what is in view, and opens an order', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/payments/?sort=-amount')
      await hydrated(page)
      const [largest] = await server.services.db.query<{
        id: number
        order_number: string
        amount: number
        last_name: string
      }>(
        `SELECT id, order_number, amount, last_name FROM orders WHERE state IN ('paid', 'refunded') ORDER BY amount DESC, id DESC LIMIT 1`,
      )
      expect(await rowsOf(page).first().innerText()).toContain(String(largest?.order_number))
      expect(await page.getByText('in this view').count()).toBe(0)
      await page.getByRole('searchbox', { name: 'Filter orders' }).fill(String(largest?.order_number))
      await page.getByRole('status').filter({ hasText: '1 of ' }).waitFor()
      expect(await rowsOf(page).count()).toBe(1)
      expect(await page.getByText('in this view').count()).toBe(9)
      await rowsOf(page).first().getByRole('link').click()
      await page.waitForURL(`**/orderDetails/${largest?.id}`)
      // The address changes before the page does; the heading comes, and with it the focus.
      await page
        .getByRole('heading', { level: 1 })
        .filter({ hasText: String(largest?.order_number) })
        .waitFor()
      await page.waitForFunction(
        (number) => document.activeElement?.textContent?.includes(number),
        String(largest?.order_number),
      )
      await page.getByRole('link', { name: 'Back to Sales Ledger' }).click()
      await page.waitForURL('**/payments')
    }))
})

describe('analytics', () => {
  it('shows figures of all titles or one, in the address, with the chart as a table', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/dashboard')
      await hydrated(page)
      const current = page.getByLabel('Current', { exact: true }).locator('dd').first()
      const all = await current.innerText()
      expect(Number(all.replaceAll(',', ''))).toBeGreaterThan(100)
      await page.getByLabel('Publication').selectOption({ label: 'Harbour Light' })
      await page.waitForURL(`**publication=${publicationId}`)
      await page.waitForFunction(
        (before) => document.querySelector('[aria-label="Current"] dd')?.textContent !== before,
        all,
      )
      await page.getByText('Show as table').click()
      expect(await page.getByRole('table').getByRole('row').count()).toBe(new Date().getMonth() + 2)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download CSV' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^subscribers-\d{4}\.csv$/)
      await page.getByRole('button', { name: 'Digital' }).click()
      expect(await page.getByRole('button', { name: 'Digital' }).getAttribute('aria-pressed')).toBe('false')
      expect(await page.locator('canvas').getAttribute('aria-label')).toMatch(
        /^Subscriptions begun in \d{4}, by month: /,
      )
      await page.getByLabel('Year').getByRole('link').first().click()
      await page.waitForURL('**year=**')
      await page.waitForFunction(() => document.querySelectorAll('table tr').length === 13)
    }))

  it('stands in the top bar with the publisher’s own figures', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/dashboard')
      const bar = page.getByLabel('Your figures')
      expect(await bar.innerText()).toMatch(/Titles\s+3\s+Readers\s+[\d,]+\s+Orders\s+£[\d,]+\.\d\d/)
    }))
})

describe('every screen', () => {
  const screens: [Role | null, string][] = [
    [null, '/'],
    [null, '/login'],
    [null, '/slogin?reason=expired'],
    [null, '/nothing/here'],
    ['publisher', '/dashboard'],
    ['publisher', '/readers'],
    ['publisher', '/searchreaders/{publication}'],
    ['publisher', '/searchreaders/{publication}?q=zzzz'],
    ['publisher', '/editreader/{reader}'],
    ['publisher', '/payments'],
    ['publisher', '/orderDetails/{order}'],
    ['publisher', '/searchreaders/999999'],
    ['super', '/publishers'],
  ]

  async function fill(path: string): Promise<string> {
    const [row] = await server.services.db.query<{ reader: number; order_id: number }>(
      `SELECT reader_id AS reader, id AS order_id FROM orders WHERE publication_id = :publicationId AND reader_id IS NOT NULL ORDER BY id DESC LIMIT 1`,
      { publicationId },
    )
    return path
      .replace('{publication}', String(publicationId))
      .replace('{reader}', String(row?.reader))
      .replace('{order}', String(row?.order_id))
  }

  for (const width of [1280, 360, 320]) {
    it(`is clean at ${width} px: axe, words, no sideways scroll, no console error`, async () => {
      for (const role of [null, 'publisher', 'super'] as const) {
        await as(
          role,
          async ({ page }) => {
            for (const [who, path] of screens) {
              if (who !== role) continue
              await page.goto(await fill(path))
              await hydrated(page)
              expect(await faultsOf(page), `${path} at ${width}`).toEqual([])
              expect(await page.title(), path).toMatch(/\S/)
              expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1)
            }
          },
          { width, height: 800 },
        )
      }
    })
  }

  it('can be walked by keyboard: skip link, menu, drawer, heading after each step', async () => {
    await asRole('publisher', async ({ page }) => {
      await page.goto('/dashboard')
      await hydrated(page)
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Skip to the content')
      await page.keyboard.press('Enter')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
      await page.getByRole('link', { name: 'Sales Ledger' }).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/payments')
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
      expect(await page.getByRole('link', { name: 'Sales Ledger' }).getAttribute('aria-current')).toBe('page')
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => Boolean(document.activeElement?.closest('main')))).toBe(true)
    })
    await asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/dashboard')
        await hydrated(page)
        const opener = page.getByRole('button', { name: 'Open the menu' })
        await opener.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('dialog', { name: 'Menu' }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
        await opener.click()
        await page.getByRole('dialog').getByRole('link', { name: 'Readers' }).click()
        await page.waitForURL('**/readers')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      },
      { width: 360, height: 800 },
    )
  })
})
