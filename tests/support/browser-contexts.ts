import type { Browser, BrowserContext } from 'playwright-core'

interface ContextOptions {
  baseURL: string
  javaScriptEnabled: boolean
}

/** A context on loan: nobody else uses it until it is given back. */
interface Loan {
  context: BrowserContext
  /** Forgets whoever used it and keeps it for the next; one that `isSpoilt` is closed. */
  giveBack(isSpoilt: boolean): Promise<void>
}

const idle = new WeakMap<Browser, Map<string, BrowserContext[]>>()

/**
 * A context without cookies, storage, permissions or pages. One that was used before still has the product's scripts and fonts
 * in its cache, as a returning visitor's browser has: fetching and compiling them anew, in a new window, was most of what a short visit cost.
 */
export async function lendContext(browser: Browser, options: ContextOptions): Promise<Loan> {
  const shelves = idle.get(browser) ?? new Map<string, BrowserContext[]>()
  idle.set(browser, shelves)
  const kind = JSON.stringify(options)
  const shelf = shelves.get(kind) ?? []
  shelves.set(kind, shelf)
  const context = shelf.pop() ?? (await openContext(browser, options))
  return {
    context,
    async giveBack(isSpoilt) {
      if (isSpoilt) return context.close()
      await forget(context, options.baseURL)
      shelf.push(context)
    },
  }
}

async function openContext(browser: Browser, options: ContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...options,
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  context.setDefaultTimeout(15_000)
  // A tab that stays: without one the window goes with each visit, and a window costs more than the visit.
  await context.newPage()
  return context
}

async function forget(context: BrowserContext, origin: string): Promise<void> {
  const [stays, ...others] = context.pages()
  if (!stays) throw new Error('The tab that keeps the window was closed')
  for (const other of others) await other.close()
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
