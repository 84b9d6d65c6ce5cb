import type { Browser, BrowserContext } from 'playwright-core'

interface ContextOptions {
  baseURL: string
  javaScriptEnabled: boolean
}

/** A borrowed context: nobody else uses it until it is released. */
interface Loan {
  context: BrowserContext
  /** Resets it and keeps it for the next visit; one that `isSpoilt` is closed. */
  giveBack(isSpoilt: boolean): Promise<void>
}

const idle = new WeakMap<Browser, Map<string, BrowserContext[]>>()

/**
 * A context without cookies, storage, permissions or pages. A reused one still has the product's scripts and fonts
 * in its cache, as a returning visitor's browser has: fetching and compiling them again, in a new window, took most of a short visit's time.
 */
export async function lendContext(browser: Browser, options: ContextOptions): Promise<Loan> {
  const pools = idle.get(browser) ?? new Map<string, BrowserContext[]>()
  idle.set(browser, pools)
  const kind = JSON.stringify(options)
  const pool = pools.get(kind) ?? []
  pools.set(kind, pool)
  const context = pool.pop() ?? (await orSayHung('a window is opened', openContext(browser, options)))
  return {
    context,
    async giveBack(isSpoilt) {
      // The reason it is spoilt matters more than an error while closing it; the browser's own end closes the rest.
      if (isSpoilt) return orSayHung('a window is closed', context.close()).catch(() => {})
      await forget(context, options.baseURL)
      pool.push(context)
    },
  }
}

const timeoutMs = 60_000

/** Reports during which operation a browser hangs: Playwright times out for pages by itself, but never for windows and tabs. */
export async function orSayHung<T>(doing: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The browser hangs while ${doing}`)), timeoutMs)
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
  // A tab that stays: without one the window closes with each visit, and opening a window takes longer than the visit.
  await context.newPage()
  return context
}

async function forget(context: BrowserContext, origin: string): Promise<void> {
  const [stays, ...others] = context.pages()
  if (!stays) throw new Error('The tab that keeps the window was closed')
  for (const other of others) await orSayHung('a tab is closed', other.close())
  const session = await context.newCDPSession(stays)
  await session.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
  })
  await session.detach()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearCookies()
  await context.clearPermissions()
}
