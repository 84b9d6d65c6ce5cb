import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core'
import { axeFaultsOf } from './axe-faults.ts'
import { acquireContext, withHangTimeout } from './browser-contexts.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A test's pages are too short-lived to profit from optimised code: compiling it takes a quarter of the browser's work.
  '--js-flags=--no-maglev,--no-opt',
]

/** Chromium from CHROMIUM_PATH or one of its usual locations. */
export function openBrowser(): Promise<Browser> {
  const executablePath = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path))
  if (!executablePath) throw new Error('No Chromium was found. Install it or set CHROMIUM_PATH.')
  return chromium.launch({ executablePath, args: flags })
}

/** A page that records what a user would call broken: console errors, failed scripts, blocked files. */
export interface WatchedPage {
  page: Page
  context: BrowserContext
  /** The problems since the last call. */
  problems(): string[]
  /** Lets the test move the page's clock by `page.clock`. Call it before what starts the timers. */
  installClock(): Promise<void>
  /** Ends the visit: its pages close, and its cookies are deleted. After a failed visit nothing is reused. */
  close(hasFailed?: boolean): Promise<void>
}

export interface PageOptions {
  baseURL: string
  width?: number
  height?: number
  javaScriptEnabled?: boolean
  /** The visit leaves something that a browser context cannot reset, such as a cached response of the test's own. */
  leavesTraces?: boolean
}

export async function openPage(
  browser: Browser,
  { baseURL, width = 1280, height = 900, javaScriptEnabled = true, leavesTraces = false }: PageOptions,
): Promise<WatchedPage> {
  const { context, release } = await acquireContext(browser, { baseURL, javaScriptEnabled })
  if (javaScriptEnabled) context.on('page', renderBeforeContinuing)
  const page = await withHangTimeout('a tab is opened', context.newPage())
  await page.setViewportSize({ width, height })
  const newProblems: string[] = []
  let hasClock = false
  page.on('console', (message) => {
    // A refused form returns 422, which Chromium logs as an error.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      newProblems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => newProblems.push(`script: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 500) newProblems.push(`${response.status()}: ${new URL(response.url()).pathname}`)
  })
  return {
    page,
    context,
    problems: () => newProblems.splice(0),
    async installClock() {
      // It belongs to the context, which cannot be rid of it.
      hasClock = true
      await page.clock.install()
    },
    async close(hasFailed = false) {
      context.off('page', renderBeforeContinuing)
      await release(hasFailed || leavesTraces || hasClock)
    },
  }
}

/**
 * Waits until an address opened or reloaded in this tab is rendered and its scripts run, before the test continues: earlier clicks and
 * input would hit a plain link or form, or be lost.
 */
function renderBeforeContinuing(page: Page): void {
  for (const name of ['goto', 'reload'] as const) {
    const load = page[name].bind(page) as (...args: unknown[]) => Promise<Response | null>
    page[name] = async (...args: unknown[]) => {
      const response = await load(...args)
      await rendered(page)
      return response
    }
  }
}

/** Waits until the page's scripts run: before that a click hits a plain link or form. `page.goto` and `page.reload` do so automatically. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(isRendered, { isOurs: true })
}

/**
 * Waits for an address and until its page is rendered and its scripts run: in client-side navigation the address changes before the page
 * does. After `page.waitForURL` alone, the previous page may still be read.
 */
export async function arrived(page: Page, url: Parameters<Page['waitForURL']>[0]): Promise<void> {
  await page.waitForURL(url)
  await rendered(page)
}

/** Submits a form or follows a link without JavaScript, and waits for the new page: earlier actions would cancel the request. */
export async function loadAfter(page: Page, action: () => Promise<void>): Promise<void> {
  const loaded = page.waitForEvent('load')
  await action()
  await loaded
}

/** Goes to an address as the product's links do: without loading the document and its scripts again. */
export async function followTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => (window as ClientRouting).__remixRouter?.navigate(to), path)
  await rendered(page)
}

/** Goes back in the history, until the page there is rendered. */
export async function goBack(page: Page): Promise<void> {
  await page.goBack()
  await rendered(page)
}

interface ClientRouting {
  __remixRouter?: { state: RouterState; navigate(path: string): Promise<void> }
}
interface RouterState {
  location: { key: string }
  navigation: { state: string }
}
/** The committed part of React's tree, from the root down. */
interface Fiber {
  child: Fiber | null
  memoizedProps?: { value?: Partial<RouterState> }
}
type RootContainer = Record<string, { stateNode: { current: Fiber } } | undefined>

/** Like `hydrated`, but does not wait for other sites' pages and pages without scripts. */
async function rendered(page: Page): Promise<void> {
  await page.waitForFunction(isRendered, { isOurs: false })
}

/** Runs in the page: whether the history, the router and React's committed tree agree. */
function isRendered({ isOurs }: { isOurs: boolean }): boolean {
  if (!('__remixContext' in window)) return !isOurs
  const { __remixRouter: router } = window as ClientRouting
  const container = Object.keys(document).find((key) => key.startsWith('__reactContainer'))
  if (!router || !container) return false
  // The root is empty until the page that came as HTML is hydrated.
  let fiber: Fiber | null = (document as unknown as RootContainer)[container]?.stateNode.current ?? null
  while (fiber && !fiber.memoizedProps?.value?.navigation) fiber = fiber.child
  const shown = fiber?.memoizedProps?.value
  const key: string = history.state?.key ?? 'default'
  return [router.state, shown].every((state) => state?.navigation?.state === 'idle' && state.location?.key === key)
}

/** Text that no visitor should ever see. */
const brokenText = /\b(undefined|NaN|null)\b|Invalid Date|\[object Object\]/

/** A field's code name in place of its label: `postZip`, `stripeDets.secretKey`. */
const fieldKey = /^[a-z]+(?:[A-Z][a-z]*|\.\w+)+(?::|\s*\*?$)/

/**
 * By how many pixels the page is wider than the window. After a window was narrowed this is polled until the page fits: for some
 * frames its tables still have their old width.
 */
async function sidewaysOverflow(page: Page): Promise<number> {
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth
  const hasFitted = page.waitForFunction(fits, undefined, { polling: 50, timeout: 5_000 })
  return hasFitted.then(
    () => 0,
    () => page.evaluate(overflow),
  )
}

/** The faults that depend on the width and are cheap to find: wrong text, sideways scrolling. */
export async function layoutFaultsOf(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText()
  const broken = brokenText.exec(text)
  const codeNames = (await page.locator('label, legend, [role=alert] a').allInnerTexts()).filter((name) =>
    fieldKey.test(name),
  )
  const overflow = await sidewaysOverflow(page)
  return [
    ...codeNames.map((name) => `a field is called "${name}"`),
    ...(broken ? [`text says "${text.slice(Math.max(0, broken.index - 40), broken.index + 40)}"`] : []),
    ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : []),
  ]
}

/** From this width on a page shows everything: no drawer in place of the menu, no cards in place of tables. */
const wideFrom = 1024

/** The layout's faults at other widths, on the same page: only styles depend on the width, so no new visit is needed. Restores the page's width. */
export function layoutFaultsAt(page: Page, widths: readonly number[]): Promise<string[]> {
  return atWidths(page, widths, () => layoutFaultsOf(page))
}

async function atWidths(
  page: Page,
  widths: readonly number[],
  check: (width: number) => Promise<string[]>,
): Promise<string[]> {
  const size = sizeOf(page)
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ ...size, width })
    faults.push(...(await check(width)).map((fault) => `${fault} at ${width} px`))
  }
  if (widths.length > 0) await page.setViewportSize(size)
  return faults
}

function sizeOf(page: Page) {
  const size = page.viewportSize()
  if (!size) throw new Error('The page has no size')
  return size
}

export interface CheckOptions {
  /** The content of the page is shown on phones only. */
  isPhoneOnly?: boolean
  /** Widths at which the layout is checked as well. */
  alsoAt?: readonly number[]
}

/**
 * The screen's visible faults: those of the layout, and what axe finds. Axe, by far the most expensive, checks each state of a
 * screen once, where it is wide: a journey on a phone that is also checked wide is widened for it, and on a phone it checks only
 * what is declared to be shown on phones only (`isPhoneOnly`).
 */
export async function faultsOf(page: Page, { isPhoneOnly = false, alsoAt = [] }: CheckOptions = {}): Promise<string[]> {
  const { width: pageWidth } = sizeOf(page)
  const axeWidth = isPhoneOnly ? pageWidth : Math.max(pageWidth, ...alsoAt)
  const check = async (width: number) => {
    const layout = await layoutFaultsOf(page)
    const isForAxe = width === axeWidth && (isPhoneOnly || width >= wideFrom)
    return isForAxe ? [...layout, ...(await axeFaultsOf(page))] : layout
  }
  return [...(await check(pageWidth)), ...(await atWidths(page, alsoAt, check))]
}

/** Saves a picture of the page where SCREENSHOTS names a folder. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(/[^\w-]+/g, '-')}.png`, fullPage: true })
}
