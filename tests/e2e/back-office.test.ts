import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { dayOf } from '#core/kernel/calendar.ts'
import { arrived, faultsOf, goBack } from '#tests/support/browser.ts'
import { deferred } from '#tests/support/deferred.ts'
import { mainText } from '#tests/support/page-facts.ts'
import { stopClock } from '#tests/support/stopped-clock.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()
let publicationId: number

beforeAll(async () => {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = row?.id ?? 0
})

const rowsOf = (page: Page) => page.locator('tbody tr')

/** The number a tile begins with; its text for screen readers follows. */
const countIn = (text: string | null) => Number.parseInt((text ?? '').replaceAll(',', ''), 10)

describe('readers', () => {
  it('finds, sorts and pages on the server, and keeps the state in the address', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/searchreaders/${publicationId}`)
      const [{ n: readerCount } = { n: 0 }] = await server.services.db.query<{ n: number }>(
        `SELECT COUNT(*) AS n FROM readers WHERE publication_id = :publicationId`,
        {
          publicationId,
        },
      )
      const countOfAll = `${readerCount.toLocaleString('en-GB')} readers`
      await expect.poll(() => rowsOf(page).count()).toBe(10)
      await page.getByRole('status').filter({ hasText: countOfAll }).waitFor()

      const [lastReader] = await server.services.db.query<{ unique_reference: string }>(
        `SELECT unique_reference FROM readers WHERE publication_id = :publicationId ORDER BY unique_reference DESC LIMIT 1`,
        { publicationId },
      )
      const reference = page.getByRole('columnheader', { name: 'Unique reference' })
      await reference.getByRole('link').focus()
      await page.keyboard.press('Enter')
      await arrived(page, '**sort=reference')
      await page.locator('th[aria-sort="ascending"]', { hasText: 'Unique reference' }).waitFor()
      await page.keyboard.press('Enter')
      await arrived(page, '**sort=-reference')
      await rowsOf(page)
        .first()
        .filter({ hasText: String(lastReader?.unique_reference) })
        .waitFor()
      await page.locator('th[aria-sort="descending"]', { hasText: 'Unique reference' }).waitFor()

      await page.getByRole('link', { name: 'Page 2', exact: true }).click()
      await arrived(page, '**page=2**')
      await page.getByLabel('Rows per page').selectOption('25')
      await arrived(page, '**size=25**')
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 25)
      await expect.poll(() => page.url()).toContain('sort=-reference')

      await page.getByRole('searchbox', { name: 'Filter readers' }).fill('smi')
      await arrived(page, '**q=smi**')
      await page
        .getByRole('status')
        .filter({ hasText: `of ${countOfAll}` })
        .waitFor()
      const names = await rowsOf(page).locator('td:first-child').allInnerTexts()
      expect(names.length).toBeGreaterThan(0)
      const filteredUrl = page.url()
      await page.reload()
      await expect.poll(() => page.getByRole('searchbox', { name: 'Filter readers' }).inputValue()).toBe('smi')
      await expect.poll(() => rowsOf(page).locator('td:first-child').allInnerTexts()).toEqual(names)

      await rowsOf(page).first().getByRole('link').click()
      await arrived(page, '**/editreader/**')
      await goBack(page)
      await arrived(page, filteredUrl)
      await page.getByRole('link', { name: 'Remove the filter “smi”' }).click()
      await page.getByRole('status').filter({ hasText: countOfAll }).waitFor()
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[type=search]')?.value === '')
    }))

  it('searches by six fields, and says when nobody matches or nothing was entered', () =>
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
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('alert').filter({ hasText: 'Fill in at least one field' }).waitFor()
      await page.getByRole('textbox', { name: 'Last name' }).fill(String(reader?.last_name).toUpperCase())
      await page.getByRole('textbox', { name: 'Postcode' }).fill(String(reader?.post_code).toLowerCase())
      await page.getByRole('button', { name: 'Search' }).click()
      await arrived(page, '**lastName=**')
      await rowsOf(page)
        .filter({ hasText: String(reader?.unique_reference) })
        .waitFor()
      await page.getByRole('link', { name: 'Clear all' }).click()
      await arrived(page, ({ searchParams }) => !searchParams.has('lastName') && !searchParams.has('search'))
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      // Text that has not been searched for is cleared too.
      await page.getByRole('textbox', { name: 'Company' }).fill('Quill')
      await page.getByRole('link', { name: 'Clear', exact: true }).click()
      await expect.poll(() => page.getByRole('textbox', { name: 'Company' }).inputValue()).toBe('')
      await page.getByRole('textbox', { name: 'Last name' }).fill('zzzz nobody')
      await page.keyboard.press('Enter')
      await page.getByText('No record matches your search').waitFor()
      await page.getByRole('link', { name: 'Show all readers' }).click()
      await page.getByRole('searchbox', { name: 'Filter readers' }).fill('zzzz nobody')
      await page.getByText('There were no readers found for your search query').waitFor()
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
      const allReaders = await context.request.get(`/readers/${publicationId}/all.csv`)
      expect(allReaders.headers()).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'cache-control': 'no-store',
      })
      expect(allReaders.headers()['content-disposition']).toMatch(
        /^attachment; filename="Harbour[ _]Light[^"]*\.csv"; filename\*=UTF-8''Harbour/,
      )
      expect((await allReaders.text()).split('\r\n')[0]).toContain('BuyerId,UniqueReference')
      expect((await context.request.get('/readers/999999/all.csv')).status()).toBe(404)
      await page.reload()
      await expect.poll(() => mainText(page)).toContain('Last mailing file:')
    }))
})

describe('sales ledger', () => {
  it('sorts, filters by text, totals what is shown, and opens an order', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/payments/?sort=-amount')
      const [largest] = await server.services.db.query<{
        id: number
        order_number: string
        amount: number
        last_name: string
      }>(
        `SELECT id, order_number, amount, last_name FROM orders WHERE state IN ('paid', 'refunded') ORDER BY amount DESC, id DESC LIMIT 1`,
      )
      await expect.poll(() => rowsOf(page).first().innerText()).toContain(String(largest?.order_number))
      // The columns that can be seen without scrolling the table.
      const headings = page.locator('thead th')
      const visibleHeadings = await headings.evaluateAll((cells) =>
        cells
          .filter((cell) => cell.getBoundingClientRect().right <= document.documentElement.clientWidth)
          .map((cell) => (cell as HTMLElement).innerText.trim()),
      )
      expect(visibleHeadings).toEqual(expect.arrayContaining(['Amount', 'Refunded', 'Net', 'Fulfilled', 'Liability']))
      await expect.poll(() => page.getByText('in this view').count()).toBe(0)
      await page.getByRole('searchbox', { name: 'Filter orders' }).fill(String(largest?.order_number))
      await page.getByRole('status').filter({ hasText: '1 of ' }).waitFor()
      await expect.poll(() => rowsOf(page).count()).toBe(1)
      await expect.poll(() => page.getByText('in this view').count()).toBe(9)
      await rowsOf(page).first().getByRole('link').click()
      await arrived(page, `**/orderDetails/${largest?.id}*`)
      // The address changes before the page does; the heading appears and gets the focus.
      await page
        .getByRole('heading', { level: 1 })
        .filter({ hasText: String(largest?.order_number) })
        .waitFor()
      await page.waitForFunction(
        (number) => document.activeElement?.textContent?.includes(number),
        String(largest?.order_number),
      )
      // Back to the list, with the same search and sort order.
      await page.getByRole('link', { name: 'Back to Sales Ledger' }).click()
      await arrived(page, ({ pathname, searchParams }) => {
        const isFiltered = searchParams.get('q') === largest?.order_number && searchParams.get('sort') === '-amount'
        return pathname.startsWith('/payments') && isFiltered
      })
      await expect.poll(() => rowsOf(page).count()).toBe(1)
    }))

  it('is filtered by chips, returns from an order to the same filters and page, and prints the filters as text', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/payments?page=9999')
      // A page out of range is the last page.
      await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(0)
      await page.getByText('More filters').click()
      await page.getByLabel('Order type').selectOption('Renewals')
      await page.getByLabel('From', { exact: true }).fill('1/1/2020')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await arrived(page, ({ search }) => search === '?source=renewal&from=1%2F1%2F2020')
      const chips = page.getByRole('list', { name: 'Active filters' })
      await expect.poll(() => chips.innerText()).toMatch(/Order type: Renewals\s+Ordered from 01\/01\/2020\s+Clear all/)
      await expect.poll(() => page.getByRole('link', { name: /^Download these [\d,]+ orders$/ }).count()).toBe(1)
      await page.getByRole('link', { name: 'Next page' }).click()
      await arrived(page, '**page=2')
      await rowsOf(page).first().getByRole('link').click()
      await arrived(page, '**/orderDetails/*')
      await page.getByRole('link', { name: 'Back to Sales Ledger' }).click()
      await arrived(
        page,
        ({ searchParams }) => searchParams.get('page') === '2' && searchParams.get('source') === 'renewal',
      )

      await page.emulateMedia({ media: 'print' })
      await page.setViewportSize({ width: 1000, height: 700 })
      const isVisible = (text: string) => page.getByText(text).first().isVisible()
      await expect.poll(() => isVisible('Order type: Renewals; Ordered from 01/01/2020: 11 to 20 of')).toBe(true)
      await expect.poll(() => isVisible('Liability, all orders')).toBe(true)
      for (const hiddenText of ['More filters', 'Log out', 'Enter an order', 'View']) {
        await expect.poll(() => isVisible(hiddenText), { message: hiddenText }).toBe(false)
      }
      // Every money column is printed.
      await expect
        .poll(() => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth))
        .toBeLessThanOrEqual(0)
      await page.emulateMedia({ media: 'screen' })

      await page.getByRole('link', { name: 'Clear all' }).click()
      await arrived(page, ({ search }) => search === '')
      await page.getByRole('link', { name: 'Download All Orders' }).waitFor()
    }))
})

describe('analytics', () => {
  it('shows figures of all titles or one, in the address, with the chart as a table', () =>
    asRole('publisher', async ({ page }) => {
      // Otherwise a month may begin during the test.
      const clock = stopClock(server)
      onTestFinished(clock.release)
      await page.goto('/dashboard')
      const current = page.getByLabel('Current', { exact: true }).locator('dd').first()
      await expect.poll(async () => countIn(await current.textContent())).toBeGreaterThan(100)
      const countOfAll = await current.textContent()
      await page.getByLabel('Publication').selectOption({ label: 'Harbour Light' })
      await arrived(page, `**publication=${publicationId}`)
      await page.waitForFunction(
        (before) => document.querySelector('[aria-label="Current"] dd')?.textContent !== before,
        countOfAll,
      )
      await page.getByText('Show as table').click()
      const today = dayOf(server.services.now(), server.services.settings.timeZone)
      await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(1 + Number(today.slice(5, 7)))
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download CSV' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^subscribers-\d{4}\.csv$/)
      await page.getByRole('button', { name: 'Digital' }).click()
      await expect.poll(() => page.getByRole('button', { name: 'Digital' }).getAttribute('aria-pressed')).toBe('false')
      await expect
        .poll(() => page.locator('canvas').getAttribute('aria-label'))
        .toMatch(/^Subscriptions started in \d{4}, by month: /)
      await page.getByLabel('Year').getByRole('link').first().click()
      await arrived(page, '**year=**')
      await page.waitForFunction(() => document.querySelectorAll('table tr').length === 13)
    }))

  it('links a tile to a list of as many readers', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/dashboard')
      const tile = page
        .getByLabel('Current', { exact: true })
        .getByRole('link', { name: / Expirations: show the list/ })
      const count = countIn(await tile.textContent())
      await tile.click()
      await arrived(page, '**/dashboard/readers?set=expiring')
      await page
        .getByRole('heading', { level: 1, name: `Expiring in the next 30 days ${count.toLocaleString('en-GB')}` })
        .waitFor()
      if (count > 0) await expect.poll(() => rowsOf(page).count()).toBe(Math.min(10, count))
    }))

  it('keeps the other tiles when one part fails, and loads it on Retry', () =>
    asRole('publisher', async ({ page, problems }) => {
      const { db } = server.services
      await db.run('ALTER TABLE page_views RENAME TO page_views_away')
      try {
        await page.goto('/dashboard?wait=1')
        const views = page.getByLabel('Storefront views')
        expect(await views.getByText('Not loaded').count()).toBe(4)
        expect(await page.getByLabel('Current', { exact: true }).getByText('Not loaded').count()).toBe(0)
        await expect.poll(() => page.locator('canvas').count()).toBe(1)
        await db.run('ALTER TABLE page_views_away RENAME TO page_views')
        const retry = views.getByRole('button', { name: 'Retry Total views', exact: true })
        // A retry that never arrives fails as the part did.
        await page.route('**/dashboard/figures.data?**', (route) => route.abort('connectionrefused'), { times: 1 })
        await retry.click()
        await expect.poll(() => problems().some((problem) => problem.includes('ERR_CONNECTION_REFUSED'))).toBe(true)
        await expect.poll(() => views.getByText('Not loaded').count()).toBe(4)
        await retry.click()
        await expect.poll(() => views.locator('dd').first().innerText()).toMatch(/^[\d,]+\nNew views/)
        expect(await views.getByText('Not loaded').count()).toBe(0)
        // Each count links to the days and months that it sums up.
        expect(await views.getByRole('link').count()).toBe(4)
        const total = await views.locator('dd a').nth(2).innerText()
        await views.getByRole('link', { name: 'Total views: show the list' }).click()
        await arrived(page, /\/dashboard\/growth#views$/)
        const months = page.locator('#views').getByRole('region', { name: 'Views by month' })
        await months.getByRole('table').waitFor()
        const viewCounts = await months.locator('tbody td:nth-of-type(1)').allInnerTexts()
        const numberIn = (text: string) => Number(text.replace(/\D/g, ''))
        expect(viewCounts.reduce((sum, text) => sum + numberIn(text), 0)).toBe(numberIn(total))
      } finally {
        await db.run('ALTER TABLE page_views_away RENAME TO page_views').catch(() => undefined)
      }
    }))

  it('shows growth part by part, each with its definition and its file', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/dashboard/growth?wait=1')
      const rate = page.getByRole('region', { name: 'Renewals by month in which the term ended' })
      expect(await rate.getByRole('row').count()).toBe(14)
      await page.getByText('How it is calculated: Renewal rate').click()
      await page.getByText('Renewed and lapsed together are the terms that ended.').waitFor()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download CSV: Renewal rate' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^Growth_renewals_\d{4}-\d\d-\d\d\.csv$/)
      await page.getByLabel('Publication').selectOption({ label: 'Harbour Light' })
      await arrived(page, `**publication=${publicationId}`)
    }))

  it('shows the publisher’s own figures in the top bar', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/dashboard')
      const bar = page.getByLabel('Your figures')
      await expect.poll(() => bar.innerText()).toMatch(/Titles\s+3\s+Readers\s+[\d,]+\s+Orders\s+£[\d,]+\.\d\d/)
    }))
})

describe('a page with scripts', () => {
  /** A proxy that sends the page data of `path` except for its last bytes, and then nothing more. */
  async function stallingProxy(path: string, missingBytes: number): Promise<{ url: string; close(): void }> {
    const proxy = createServer(async (request, response) => {
      const { 'accept-encoding': _, ...headers } = request.headers as Record<string, string>
      const upstream = await fetch(server.url + request.url, { headers, redirect: 'manual' })
      const body = Buffer.from(await upstream.arrayBuffer())
      response.writeHead(upstream.status, { 'Content-Type': upstream.headers.get('content-type') ?? '' })
      if (request.url?.startsWith(`${path}.data`)) response.write(body.subarray(0, body.length - missingBytes))
      else response.end(body)
    }).listen(0)
    const { port } = proxy.address() as AddressInfo
    const close = () => {
      proxy.close()
      proxy.closeAllConnections()
    }
    return { url: `http://localhost:${port}`, close }
  }

  for (const missingBytes of [100, 0]) {
    it(`reports nothing when the page data is aborted before its end (${missingBytes} bytes missing)`, async () => {
      const proxy = await stallingProxy('/payments', missingBytes)
      try {
        await asRole(
          'publisher',
          async ({ page, problems }) => {
            await page.goto('/readers')
            const requested = page.waitForResponse(/\/payments\.data/)
            await page.getByRole('link', { name: 'Sales Ledger' }).click()
            await requested
            await page.getByRole('link', { name: 'Analytics' }).click()
            await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor()
            // An error left by the abort would have been reported before this one.
            const reported = page.waitForEvent('pageerror')
            await page.evaluate(() => void Promise.reject(new DOMException('lost', 'AbortError')))
            await reported
            expect(problems()).toEqual(['script: lost'])
          },
          { baseURL: proxy.url, leavesTraces: true },
        )
      } finally {
        proxy.close()
      }
    })
  }
})

it('a page that takes long says so, without accessibility faults', () =>
  asRole('publisher', async ({ page }) => {
    await page.goto('/publications')
    const released = deferred()
    await page.route('**/users.data*', async (route) => {
      await released.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('progressbar', { name: 'Loading the page' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    released.resolve()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  }))
