import type { Page, Request } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { createPromo } from '#core/promos/create-promo.ts'
import { deletePromo } from '#core/promos/delete-promo.ts'
import { arrived, faultsOf, followTo, goBack, takeScreenshot, type WatchedPage } from '#tests/support/browser.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { fieldOf, pathOf } from '#tests/support/page-facts.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

/** What users keep when the connection or the server is lost: their input and the page that they are on. */
const { server, asRole } = openVisits()
let publicationId = 0
let readerId = 0

beforeEach(async () => {
  const [{ id: publisherId } = { id: 0 }] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(server.services, { publisherId })).id
  readerId = await makeReader(server.services, publicationId, {
    firstName: 'Ida',
    lastName: 'Quill',
    email: 'quill@example.org',
    telephone: '1',
  })
})

const offline = 'You are offline. Nothing was lost: this is sent as soon as the connection is back.'
const unreachable =
  'The server could not be reached. What you sent may have arrived: check before you press the button again.'

interface VisitOptions {
  width?: number
  /** Problems that the test causes. */
  expected?: RegExp
}

/** Opens a page as the publisher. The browser's own log of requests that could not be sent is not a fault of the page. */
function visit(
  path: string,
  work: (visit: WatchedPage) => Promise<void>,
  { width = 1280, expected = /net::ERR_|ConnectionLost/ }: VisitOptions = {},
): Promise<void> {
  return asRole(
    'publisher',
    async (watched) => {
      await watched.page.goto(path)
      try {
        await work(watched)
      } finally {
        await watched.context.setOffline(false)
      }
      expect(watched.problems().filter((problem) => !expected.test(problem))).toEqual([])
    },
    { width },
  )
}

const saveButton = (page: Page) => page.getByRole('button', { name: 'Update Reader' })

describe('without a connection', () => {
  it('a form stays as it was typed, says so next to its button, and is sent when the connection is back', () =>
    visit(
      `/editreader/${readerId}`,
      async ({ page, context }) => {
        await fieldOf(page, 'telephone').fill('01843 999')
        await context.setOffline(true)
        await saveButton(page).click()
        await page.getByText(offline).waitFor()
        await expect.poll(() => saveButton(page).getAttribute('aria-busy')).toBe(null)
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'offline-form')
        // Input typed while offline is sent too.
        await fieldOf(page, 'telephone').fill('01843 888')
        await context.setOffline(false)
        await page.getByText('Reader updated successfully').waitFor()
        expect(await readerRow(server.services, readerId)).toMatchObject({ telephone: '01843 888' })
      },
      { width: 360 },
    ))

  it('a form that is sent before the routes of the page’s links are known is kept and sent as well', () =>
    visit('/users', async ({ page, context }) => {
      await page.route('**/__manifest?*', () => {})
      // Safari has no `Response.json` before version 17.
      await page.addInitScript(() => Reflect.deleteProperty(Response, 'json'))
      await page.goto(`/editreader/${readerId}`)
      await fieldOf(page, 'telephone').fill('01843 555')
      await context.setOffline(true)
      await saveButton(page).click()
      await page.getByText(offline).waitFor()
      await context.setOffline(false)
      await page.getByText('Reader updated successfully').waitFor()
      expect(await readerRow(server.services, readerId)).toMatchObject({ telephone: '01843 555' })
    }))

  it('the form of a new reader stays when the search for similar readers fails', () =>
    visit(`/addreader/${publicationId}`, async ({ page, context }) => {
      await context.setOffline(true)
      const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
      await fieldOf(page, 'email').fill('quill@example.org')
      await fieldOf(page, 'firstName').fill('Ida')
      await failed
      await context.setOffline(false)
      await fieldOf(page, 'lastName').fill('Quill')
      await fieldOf(page, 'telephone').focus()
      await page.getByText('This looks like a reader you already have').waitFor()
      await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe('quill@example.org')
    }))

  it('the form of a new reader stays when the same tap sends it and the search for similar readers', () =>
    visit(`/addreader/${publicationId}`, async ({ page, context }) => {
      await fieldOf(page, 'email').fill('quill@example.org')
      await context.setOffline(true)
      const requests = { failed: 0 }
      page.on('requestfailed', (request) => {
        if (request.method() === 'POST') requests.failed++
      })
      // What a tap does on a phone: the field loses the focus and the button is pressed, one right after the other.
      await page.getByRole('button', { name: 'Add Reader' }).evaluate((button: HTMLElement) => {
        ;(document.activeElement as HTMLElement).blur()
        button.click()
      })
      await expect.poll(() => requests.failed).toBe(2)
      await expect.poll(() => page.getByText(offline).count()).toBe(1)
      expect(await page.getByRole('heading', { level: 1, name: 'You are offline' }).count()).toBe(0)
      await context.setOffline(false)
      await page.getByText('This looks like a reader you already have').first().waitFor()
      await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe('quill@example.org')
    }))

  it('a page stays while the mouse rests on a link of the menu', () =>
    visit(`/editreader/${readerId}`, async ({ page, context, installClock }) => {
      await fieldOf(page, 'telephone').fill('01843 999')
      await installClock()
      await context.setOffline(true)
      await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' }).hover()
      await page.clock.runFor(1000)
      expect(await page.evaluate(() => fetch('/readyz').catch(() => 'offline'))).toBe('offline')
      expect(await fieldOf(page, 'telephone').inputValue()).toBe('01843 999')
    }))

  it('a page that cannot be fetched shows an error within the product’s layout, and opens when the connection is back', () =>
    visit(
      '/users',
      async ({ page, context }) => {
        await context.setOffline(true)
        await page.getByRole('link', { name: 'Add user' }).first().click()
        await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
        await expect.poll(() => pathOf(page)).toBe('/adduser')
        await expect.poll(() => page.getByRole('button', { name: 'Open the menu' }).count()).toBe(1)
        await takeScreenshot(page, 'offline-page')
        await page.setViewportSize({ width: 1280, height: 900 })
        await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Readers' }).waitFor()
        await page.setViewportSize({ width: 360, height: 900 })
        await page.getByRole('link', { name: 'Try again' }).click()
        await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
        await expect.poll(() => pathOf(page)).toBe('/adduser')
        await context.setOffline(false)
        await page.getByRole('heading', { level: 1, name: 'Add user' }).waitFor()
        await expect.poll(() => pathOf(page)).toBe('/adduser')
      },
      { width: 360 },
    ))

  it('a page whose route the browser could not learn opens when the connection is back', () =>
    visit('/account', async ({ page, context }) => {
      await page.route('**/__manifest?*', (route) => route.abort())
      await page.goto('/users')
      await context.setOffline(true)
      await page.getByRole('main').getByRole('link', { name: 'Add user' }).click()
      await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
      await page.unroute('**/__manifest?*')
      await context.setOffline(false)
      await page.getByRole('heading', { level: 1, name: 'Add user' }).waitFor()
    }))

  it('a page whose route the browser learns only from the click shows that it is offline', () =>
    visit('/account', async ({ page, context }) => {
      let manifest: Buffer | undefined
      await page.route('**/__manifest?*', async (route) => {
        // The opened page gets no response to its own request. The click gets one although it is offline, as from the browser's cache.
        if (manifest) await route.fulfill({ body: manifest, contentType: 'application/json' })
        else manifest = await (await route.fetch()).body()
      })
      await page.route('**/assets/add-user-*.js', (route) => route.abort())
      await page.goto('/users')
      await expect.poll(() => manifest?.toString()).toContain('routes/back-office/add-user')
      await context.setOffline(true)
      await page.getByRole('main').getByRole('link', { name: 'Add user' }).click()
      await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
    }))
})

describe('a page that polls its data', () => {
  it('stays as it is while the connection is lost, and polls again', () =>
    visit(`/managedata/likely/${publicationId}`, async ({ page, context }) => {
      await page.getByRole('button', { name: 'Search for likely duplicates' }).click()
      await page.getByText('The search will start in a moment').waitFor()
      const isPoll = (request: Request) => request.method() === 'GET' && request.url().includes('.data')
      await context.setOffline(true)
      for (const _ of [1, 2]) await page.waitForEvent('requestfailed', isPoll)
      await expect.poll(() => page.getByText('The search will start in a moment').count()).toBe(1)
      const answered = page.waitForEvent('requestfinished', isPoll)
      await context.setOffline(false)
      await answered
    }))

  it('is left by Back, also while the connection is lost', () =>
    visit('/users', async ({ page, context }) => {
      await followTo(page, `/managedata/likely/${publicationId}`)
      await page.getByRole('button', { name: 'Search for likely duplicates' }).click()
      await page.getByText('The search will start in a moment').waitFor()
      await context.setOffline(true)
      await goBack(page)
      await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
    }))
})

describe('a server that does not respond', () => {
  it.each(['/contactme', '/account/keys'])('is reported in one alert by a form of %s', (path) =>
    visit(path, async ({ page }) => {
      const form = page
        .locator('main form')
        .filter({ has: page.locator('input:visible') })
        .first()
      await page.route(`**${path}.data*`, (route) => route.abort())
      for (const field of await form.locator('input:visible:not([type=checkbox]), textarea').all()) {
        await field.fill((await field.getAttribute('type')) === 'email' ? 'ann@example.org' : 'Harbour 22')
      }
      await form.locator('button[type=submit]').first().click()
      await page.getByRole('alert').filter({ hasText: unreachable }).waitFor()
      expect(await page.getByText(unreachable).count()).toBe(1)
    }),
  )

  it('leaves a form as it is, to be sent by the same button', () =>
    visit(`/editreader/${readerId}`, async ({ page }) => {
      await fieldOf(page, 'telephone').fill('01843 777')
      await page.route('**/editreader/*.data', (route) => route.abort('connectionrefused'), { times: 1 })
      await saveButton(page).click()
      await page.getByText(unreachable).waitFor()
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 777')
      await saveButton(page).click()
      await page.getByText('Reader updated successfully').waitFor()
      expect(await readerRow(server.services, readerId)).toMatchObject({ telephone: '01843 777' })
    }))

  it('leaves a form as it is when its proxy answers with an error, or when its database is down', () =>
    visit(`/editreader/${readerId}`, async ({ page, problems }) => {
      await fieldOf(page, 'telephone').fill('01843 555')
      const outages = [
        { status: 502, contentType: 'text/html', body: 'Bad gateway' },
        { status: 503, contentType: 'text/x-script', headers: { 'X-Remix-Response': 'yes' }, body: '[]' },
      ]
      for (const outage of outages) {
        await page.route('**/editreader/*.data', (route) => route.fulfill(outage), { times: 1 })
        await saveButton(page).click()
        await page.getByText(unreachable).waitFor()
        await expect.poll(() => saveButton(page).getAttribute('aria-busy')).toBe(null)
        await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 555')
      }
      expect(problems().every((problem) => /50[23]/.test(problem))).toBe(true)
      await saveButton(page).click()
      await page.getByText('Reader updated successfully').waitFor()
      expect(await readerRow(server.services, readerId)).toMatchObject({ telephone: '01843 555' })
    }))

  it('leaves a form as it is when the response breaks off', () =>
    visit('/users', async ({ page }) => {
      await page.addInitScript(() => {
        const { fetch } = window
        window.fetch = async (input, init) => {
          const response = await fetch(input, init)
          if (init?.method !== 'POST') return response
          window.fetch = fetch
          const brokenOff = new ReadableStream({
            pull: (controller) => controller.error(new TypeError('network error')),
          })
          return new Response(brokenOff, response)
        }
      })
      await page.goto(`/editreader/${readerId}`)
      await fieldOf(page, 'telephone').fill('01843 333')
      await saveButton(page).click()
      await page.getByText(unreachable).waitFor()
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 333')
    }))

  it.each([
    ['page', '/users', '**/adduser.data*', 'Add user'],
    ['route', '/readers', '**/__manifest?*', 'Search Readers'],
  ])('is named as the cause when its proxy answers for a %s', (_, path, request, link) =>
    visit(
      '/account',
      async ({ page }) => {
        await page.route(request, (route) =>
          route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' }),
        )
        // The routes of this page itself come with its document.
        await page.goto(path)
        await page.getByRole('main').getByRole('link', { name: link }).first().click()
        await page.getByRole('heading', { level: 1, name: 'The server cannot be reached' }).waitFor()
      },
      { expected: /502|ConnectionLost/ },
    ),
  )

  it('keeps a refused form whose page cannot be reloaded', () =>
    visit(`/editreader/${readerId}`, async ({ page, problems }) => {
      await fieldOf(page, 'email').fill('no email')
      let reloads = 0
      await page.route('**/editreader/*.data*', async (route) => {
        if (route.request().method() !== 'GET' || reloads > 1) return route.continue()
        reloads++
        return reloads === 1 ? route.abort('connectionrefused') : route.fulfill({ status: 502, body: 'Bad gateway' })
      })
      await saveButton(page).click()
      const reloaded = page.waitForResponse(
        (response) => response.request().method() === 'GET' && response.url().includes('.data') && response.ok(),
      )
      await page.getByText('Reader not updated').first().waitFor()
      await (await reloaded).finished()
      expect(problems().every((problem) => /502|ERR_CONNECTION_REFUSED/.test(problem))).toBe(true)
      await expect.poll(() => fieldOf(page, 'email').getAttribute('aria-invalid')).toBe('true')
      expect(await fieldOf(page, 'email').inputValue()).toBe('no email')
    }))

  it('offers to restore what was typed after a fault of its own', () =>
    visit(`/editreader/${readerId}`, async ({ page, problems }) => {
      await fieldOf(page, 'telephone').fill('01843 444')
      await page.route('**/editreader/*.data', (route) => route.fulfill({ status: 500, body: 'fault' }), { times: 1 })
      await saveButton(page).click()
      await page.getByRole('link', { name: 'Try again' }).click()
      await page.getByRole('button', { name: 'Restore what I typed' }).click()
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 444')
      problems()
    }))

  it('keeps the form of a record that somebody removed', () =>
    visit(`/promocodes/${publicationId}`, async ({ page, problems }) => {
      const ctx = server.as(operator)
      const { id } = await createPromo(ctx, { publicationId, code: 'GONE10', name: 'Autumn', discountPercent: '10' })
      await page.goto(`/editpromo/${id}`)
      await fieldOf(page, 'name').fill('Typed')
      await deletePromo(ctx, { id })
      await page.getByRole('button', { name: 'Update Promo Code' }).click()
      await page.getByText('This no longer exists, so nothing was saved.').waitFor()
      expect(await fieldOf(page, 'name').inputValue()).toBe('Typed')
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Users', exact: true }).click()
      await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor()
      expect(problems().every((problem) => /404/.test(problem))).toBe(true)
    }))

  it('asks before a page with unsent input is left', () =>
    visit(`/editreader/${readerId}`, async ({ page, context }) => {
      await fieldOf(page, 'telephone').fill('01843 666')
      await context.setOffline(true)
      await saveButton(page).click()
      await page.getByText(offline).waitFor()
      await page.getByRole('link', { name: 'Users', exact: true }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 666')
      await context.setOffline(false)
      await page.getByText('Reader updated successfully').waitFor()
    }))

  it('shows the error page at the requested address, and retries there', () =>
    visit('/users', async ({ page }) => {
      await page.route('**/adduser.data*', (route) => route.abort('connectionrefused'), { times: 1 })
      await page.getByRole('link', { name: 'Add user' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'The server cannot be reached' }).waitFor()
      await page.getByRole('link', { name: 'Try again' }).click()
      await arrived(page, '**/adduser')
      await page.getByRole('heading', { level: 1, name: 'Add user' }).waitFor()
    }))
})
