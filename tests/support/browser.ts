import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core'
import { axeFaultsOf } from './axe-faults.ts'
import { lendContext, orSayHung } from './browser-contexts.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium from CHROMIUM_PATH or where Debian puts it. */
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

/** A page that keeps what a user would call broken: console errors, failed scripts, refused files. */
export interface WatchedPage {
  page: Page
  context: BrowserContext
  /** What went wrong since the last time it was asked. */
  problems(): string[]
  /** Ends the visit: its pages close, and nobody finds its cookies. One that failed leaves nothing at all behind. */
  close(hasFailed?: boolean): Promise<void>
}

export interface PageOptions {
  baseURL: string
  width?: number
  height?: number
  javaScriptEnabled?: boolean
  /** The visit uses what a browser context cannot unlearn, `page.clock` or `addInitScript`. */
  leavesTraces?: boolean
}

export async function openPage(
  browser: Browser,
  { baseURL, width = 1280, height = 900, javaScriptEnabled = true, leavesTraces = false }: PageOptions,
): Promise<WatchedPage> {
  const { context, giveBack } = await lendContext(browser, { baseURL, javaScriptEnabled })
  if (javaScriptEnabled) context.on('page', drawWhatIsOpened)
  const page = await orSayHung('a tab is opened', context.newPage())
  await page.setViewportSize({ width, height })
  const found: string[] = []
  page.on('console', (message) => {
    // A refused form answers 422, which Chromium calls an error though it is an answer.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) found.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => found.push(`script: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 500) found.push(`${response.status()}: ${new URL(response.url()).pathname}`)
  })
  return {
    page,
    context,
    problems: () => found.splice(0),
    async close(hasFailed = false) {
      context.off('page', drawWhatIsOpened)
      await giveBack(hasFailed || leavesTraces)
    },
  }
}

/**
 * An address that is opened or loaded again in this tab has been drawn, its scripts running, before the test goes on: what is clicked or
 * typed earlier is a plain link or form, or gone again.
 */
function drawWhatIsOpened(page: Page): void {
  for (const name of ['goto', 'reload'] as const) {
    const load = page[name].bind(page) as (...given: unknown[]) => Promise<Response | null>
    page[name] = async (...given: unknown[]) => {
      const response = await load(...given)
      await drawn(page)
      return response
    }
  }
}

/** Waits until the page's scripts run: before that a click is a plain link or form. `page.goto` and `page.reload` do so by themselves. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(isDrawn, { isOurs: true })
}

/**
 * Waits for an address and until its page has been drawn, its scripts running: inside the browser the address changes before the page
 * does. What is read after `page.waitForURL` alone may still be the page before.
 */
export async function arrived(page: Page, url: Parameters<Page['waitForURL']>[0]): Promise<void> {
  await page.waitForURL(url)
  await drawn(page)
}

/** Sends a form where no script runs, and waits for the page that answers: what is done before that comes ends the sending. */
export async function answered(page: Page, send: () => Promise<void>): Promise<void> {
  const loaded = page.waitForEvent('load')
  await send()
  await loaded
}

/** Goes back in the history, until the page there has been drawn. */
export async function goBack(page: Page): Promise<void> {
  await page.goBack()
  await drawn(page)
}

interface RouterState {
  location: { key: string }
  navigation: { state: string }
}
/** The part of React's tree that is looked at: the committed one, from the root down. */
interface Fiber {
  child: Fiber | null
  memoizedProps?: { value?: Partial<RouterState> }
}
type RootContainer = Record<string, { stateNode: { current: Fiber } } | undefined>

/** As `hydrated`, but other sites' pages, and pages without scripts, are as they came. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(isDrawn, { isOurs: false })
}

/** Runs in the page: whether the history, the router and what React has committed agree. */
function isDrawn({ isOurs }: { isOurs: boolean }): boolean {
  if (!('__remixContext' in window)) return !isOurs
  const { __remixRouter: router } = window as { __remixRouter?: { state: RouterState } }
  const container = Object.keys(document).find((key) => key.startsWith('__reactContainer'))
  if (!router || !container) return false
  // Nothing is below the root until the page that came as HTML is hydrated.
  let fiber: Fiber | null = (document as unknown as RootContainer)[container]?.stateNode.current ?? null
  while (fiber && !fiber.memoizedProps?.value?.navigation) fiber = fiber.child
  const shown = fiber?.memoizedProps?.value
  const key: string = history.state?.key ?? 'default'
  return [router.state, shown].every((state) => state?.navigation?.state === 'idle' && state.location?.key === key)
}

/** What no visitor should ever read. */
const nonsense = /\b(undefined|NaN|null)\b|Invalid Date|\[object Object\]/

/** A field's name in the code where its label should be: `postZip`, `stripeDets.secretKey`. */
const fieldKey = /^[a-z]+(?:[A-Z][a-z]*|\.\w+)+(?::|\s*\*?$)/

/**
 * Pixels by which the page is wider than the window. A window that was just made narrower is asked again until the page fits: for some
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

/** The faults that differ from width to width and cost next to nothing to find: nonsense in the text, sideways scrolling. */
export async function layoutFaultsOf(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText()
  const words = nonsense.exec(text)
  const internal = (await page.locator('label, legend, [role=alert] a').allInnerTexts()).filter((name) =>
    fieldKey.test(name),
  )
  const overflow = await sidewaysOverflow(page)
  return [
    ...internal.map((name) => `a field is called "${name}"`),
    ...(words ? [`text says "${text.slice(Math.max(0, words.index - 40), words.index + 40)}"`] : []),
    ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : []),
  ]
}

/** From here on a page has all that it has: no drawer in place of the menu, no cards in place of tables. */
const wide = 1024

/** The layout's faults at other widths, in the page as it stands: what styles alone decide needs no visit of its own. The page gets its width back. */
export function layoutFaultsAt(page: Page, widths: readonly number[]): Promise<string[]> {
  return atWidths(page, widths, () => layoutFaultsOf(page))
}

async function atWidths(
  page: Page,
  widths: readonly number[],
  look: (width: number) => Promise<string[]>,
): Promise<string[]> {
  const size = sizeOf(page)
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ ...size, width })
    faults.push(...(await look(width)).map((fault) => `${fault} at ${width} px`))
  }
  if (widths.length > 0) await page.setViewportSize(size)
  return faults
}

function sizeOf(page: Page) {
  const size = page.viewportSize()
  if (!size) throw new Error('The page has no size')
  return size
}

interface Look {
  /** What is on the page is seen on phones alone. */
  isPhoneOnly?: boolean
  /** Widths at which the layout is looked at as well. */
  alsoAt?: readonly number[]
}

/**
 * The screen's faults by what anyone can see: those of the layout, and what axe finds. Axe, by far the dearest, looks at each state of a
 * screen once, where it is wide: a journey on a phone that is also looked at wide is made wide for it, and narrow alone it looks only at
 * what is told to be seen on phones alone (`isPhoneOnly`).
 */
export async function faultsOf(page: Page, { isPhoneOnly = false, alsoAt = [] }: Look = {}): Promise<string[]> {
  const { width: own } = sizeOf(page)
  const axeWidth = isPhoneOnly ? own : Math.max(own, ...alsoAt)
  const look = async (width: number) => {
    const layout = await layoutFaultsOf(page)
    const isForAxe = width === axeWidth && (isPhoneOnly || width >= wide)
    return isForAxe ? [...layout, ...(await axeFaultsOf(page))] : layout
  }
  return [...(await look(own)), ...(await atWidths(page, alsoAt, look))]
}

/** Keeps a picture of the page where SCREENSHOTS names a folder: to look at what a journey saw. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(/[^\w-]+/g, '-')}.png`, fullPage: true })
}
