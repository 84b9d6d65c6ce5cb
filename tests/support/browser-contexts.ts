import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'

interface ContextOptions {
  baseURL: string
  javaScriptEnabled: boolean
}

/** A context of the pool: no other visit uses it until it is released. */
interface PooledContext {
  context: BrowserContext
  /** Resets the context for the next visit, or closes it if `isDirty`. */
  release(isDirty: boolean): Promise<void>
}

const idle = new WeakMap<Browser, Map<string, BrowserContext[]>>()

/**
 * A context without cookies, storage, permissions or pages of another visit. A reused one still has the product's scripts and fonts
 * in its cache, as a returning visitor's browser has: fetching and compiling them again, in a new window, takes most of a short visit's time.
 */
export async function acquireContext(browser: Browser, options: ContextOptions): Promise<PooledContext> {
  const pools = idle.get(browser) ?? new Map<string, BrowserContext[]>()
  idle.set(browser, pools)
  const kind = JSON.stringify(options)
  const pool = pools.get(kind) ?? []
  pools.set(kind, pool)
  const context = pool.pop() ?? (await withHangTimeout('a window is opened', openContext(browser, options)))
  return {
    context,
    async release(isDirty) {
      // An error while closing it would hide why it is dirty; the end of the browser closes it in any case.
      if (isDirty) return withHangTimeout('a window is closed', context.close()).catch(() => {})
      await resetContext(context, options.baseURL)
      pool.push(context)
    },
  }
}

const timeoutMs = 60_000

/** Reports during which operation a browser hangs: Playwright has timeouts for pages, but none for windows and tabs. */
export async function withHangTimeout<T>(operation: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The browser hangs while ${operation}`)), timeoutMs)
  })
  return Promise.race([work, hung]).finally(() => clearTimeout(timer))
}

async function openContext(browser: Browser, options: ContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...options,
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  context.setDefaultTimeout(30_000)
  // This tab is kept open: without one the window closes with each visit, and opening a window takes longer than the visit.
  await context.newPage()
  return context
}

/**
 * Closes a tab, also one that is just showing a new page: Chromium confirms a close that arrives while a navigation is committed, but
 * does not carry it out (crbug.com/536385539), and Playwright waits for it without end. Closing it again always works.
 */
async function closeTab(tab: Page): Promise<void> {
  const closed = tab.close().then(() => true)
  while (!(await Promise.race([closed, sleep(1_000, false)]))) {
    // The tab may close meanwhile, which ends its session.
    const closedAgain = async () => (await tab.context().newCDPSession(tab)).send('Page.close')
    await closedAgain().catch(() => {})
  }
}

async function resetContext(context: BrowserContext, origin: string): Promise<void> {
  const [firstTab, ...others] = context.pages()
  if (!firstTab) throw new Error('The tab that keeps the window open was closed')
  for (const other of others) await withHangTimeout('a tab is closed', closeTab(other))
  const session = await context.newCDPSession(firstTab)
  await session.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
  })
  await session.detach()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearCookies()
  await context.clearPermissions()
}
