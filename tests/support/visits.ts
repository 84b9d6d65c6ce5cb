import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { openPage, type PageOptions, type WatchedPage } from './browser.ts'
import { staffSession } from './staff-session.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './web-server.ts'
import { workerBrowser } from './worker-browser.ts'

interface VisitsOptions extends Omit<TestServerOptions, 'env'> {
  /** Settings of the installation; a function where they are known only once an earlier `beforeAll` of the file has run. */
  env?: Record<string, string> | (() => Record<string, string>)
}

type Work = (visit: WatchedPage) => Promise<void>

/** The demo's users, by the name in their email: `publisher` is publisher@demo.masthead.test. */
type DemoRole = 'super' | 'reseller' | 'publisher' | 'pubadmin' | 'admin' | 'mailer'

interface Visits {
  /** The running server; available from the first test on. */
  server: Omit<TestServer, 'stop'>
  /** A page of a visitor. It is always closed at the end, and must have no console errors. */
  onPage(work: Work, options?: Partial<PageOptions>): Promise<void>
  /** A page of a demo user, logged in. */
  asRole(role: DemoRole, work: Work, options?: Partial<PageOptions>): Promise<void>
  /** A page of any user, logged in with the password `masthead`, such as one from `makeUser`. */
  asUser(email: string, work: Work, options?: Partial<PageOptions>): Promise<void>
  /** The response to a logged-in demo user's request, without a browser: for what the server alone decides. */
  fetchAs(role: DemoRole, path: string, init?: RequestInit): Promise<Response>
}

/**
 * The fixtures of one file of journeys: the built server with its own database, and the worker on request. Called once at
 * the top of the file; everything starts before the first test and is stopped after the last. The browser is kept for the next file.
 *
 *     const { server, onPage, asRole } = openVisits({ worker: true })
 *
 *     it('lists the readers', () =>
 *       asRole('publisher', async ({ page }) => {
 *         await page.goto('/readers')
 *         ...
 *       }, { width: 360 }))
 *
 * A session is opened once for each user and its cookie used again, so a test that ends sessions uses its own user (`makeUser`).
 * The log-in form has separate journeys. Rate limits are reset for every test.
 */
export function openVisits({ env = {}, ...options }: VisitsOptions = {}): Visits {
  let running: TestServer | undefined
  let browser: Browser | undefined
  const sessions = new Map<string, string>()

  const started = <T>(fixture: T | undefined): T => {
    if (!fixture) throw new Error('The visits start with the first test: use this inside a test or a beforeAll')
    return fixture
  }

  beforeAll(async () => {
    const settings = typeof env === 'function' ? env() : env
    const [testServer, sharedBrowser] = await Promise.all([
      startTestServer({ ...options, env: settings }),
      workerBrowser(),
    ])
    running = testServer
    browser = sharedBrowser
  })
  // One address logs in and orders here more often than the limit allows.
  beforeEach(() => started(running).services.db.run(`DELETE FROM rate_limits`))
  afterAll(() => running?.stop())

  async function onPage(work: Work, options: Partial<PageOptions> = {}): Promise<void> {
    const visit = await openPage(started(browser), { baseURL: started(running).url, ...options })
    let hasFailed = true
    try {
      await work(visit)
      expect(visit.problems()).toEqual([])
      hasFailed = false
    } catch (error) {
      if (error instanceof Error) error.message += await describePage(visit)
      throw error
    } finally {
      await visit.close(hasFailed)
    }
  }

  async function sessionOf(email: string): Promise<string> {
    const cached = sessions.get(email)
    if (cached) return cached
    const token = await staffSession(started(running).services, email)
    sessions.set(email, token)
    return token
  }

  function asUser(email: string, work: Work, options: Partial<PageOptions> = {}): Promise<void> {
    return onPage(async (visit) => {
      const value = await sessionOf(email)
      await visit.context.addCookies([{ name: 'masthead-session', value, url: started(running).url }])
      await work(visit)
    }, options)
  }

  const emailOf = (role: DemoRole) => `${role}@demo.masthead.test`

  return {
    server: {
      get url() {
        return started(running).url
      },
      get services() {
        return started(running).services
      },
      as: (actor) => started(running).as(actor),
      jobsDone: () => started(running).jobsDone(),
    },
    onPage,
    asUser,
    asRole: (role, work, options) => asUser(emailOf(role), work, options),
    async fetchAs(role, path, init = {}) {
      const cookie = `masthead-session=${await sessionOf(emailOf(role))}`
      return fetch(started(running).url + path, { ...init, headers: { ...init.headers, cookie } })
    },
  }
}

/** The address and visible text of a failed visit: without them a failure that occurs once in a hundred runs cannot be explained. */
async function describePage({ page }: WatchedPage): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5_000 })
    .catch(() => '(nothing could be read)')
  return `\nThe page was ${page.url()}:\n${text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, 1_500)}`
}
