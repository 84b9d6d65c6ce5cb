import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const options: axe.RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  // Describing every passing element would take longer than checking it.
  resultTypes: ['violations'],
}

/** A frame without scripts, such as an email preview's, never responds. */
const silentFrame = 'iframe[sandbox]:not([sandbox~="allow-scripts"])'

const seenMark = 'data-contrast-seen'

/** Compressed: each page compiles it again, and `axe.source` is more than twice as long. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Frames of other sites are checked too, such as the one of the fake payment provider. */
const configuredSource = `${source};axe.configure({
  allowedOrigins: ['<unsafe_all_origins>'],
  rules: [{ id: 'color-contrast', selector: ':not([${seenMark}])' }],
})`

/** How many elements of one style are checked for contrast on a page: two, in case the first is covered, such as by a sticky header. */
const perStyle = 2

/** The hashes of styles whose contrast has passed in this process. */
const passedStyles = new Set<number>()

/**
 * The violations that axe finds on a page. Contrast, its most expensive rule, is computed for two elements of each style: menus, buttons and
 * table rows are the same elements with the same styles, on one page and on every page.
 */
export async function axeFaultsOf(page: Page): Promise<string[]> {
  // A target scrolled half under the sticky header is not too small.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  const hasFrames = page.frames().length - 1 > (await page.locator(silentFrame).count())
  for (const frame of hasFrames ? page.frames() : [page.mainFrame()]) await frame.evaluate(configuredSource)
  const styles = await page.evaluate(markPassedStyles, { passed: [...passedStyles], mark: seenMark, perStyle })
  const violations = await page.evaluate(runAxe, { options: { ...options, iframes: hasFrames }, silentFrame })
  await page.evaluate(unmark, seenMark)
  // With a violation no style is stored, so that a retry of the test finds it again.
  if (!violations.some(({ id }) => id === 'color-contrast')) for (const style of styles) passedStyles.add(style)
  const faults: string[] = []
  for (const { id, nodes } of violations) {
    const targets: string[] = []
    for (const selector of nodes)
      if (id !== 'target-size' || !(await page.evaluate(isLargeOnceScrolled, selector))) targets.push(selector)
    if (targets.length > 0) faults.push(`axe ${id}: ${targets.slice(0, 3).join(', ')}`)
  }
  return faults
}

/** Runs in the page. Returns each violation with the selectors of its elements. */
async function runAxe(input: {
  options: axe.RunOptions
  silentFrame: string
}): Promise<{ id: string; nodes: string[] }[]> {
  const { axe: inPage } = window as unknown as { axe: typeof axe }
  const { violations } = await inPage.run({ exclude: [input.silentFrame] }, input.options)
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target }) => target.join(' ')) }))
}

/**
 * Runs in the page: marks the elements whose style is among `passed` or was found `perStyle` times, and returns the styles of the others. A style is
 * a hash of what determines it, for the element and its ancestors: tag, classes, inline style, states, whether it has text of its own; the window's
 * width and the page's own style sheets.
 */
function markPassedStyles(input: { passed: number[]; mark: string; perStyle: number }): number[] {
  const { passed, mark, perStyle } = input
  const hash = (text: string, seed: number) => {
    let high = seed ^ 0xdeadbeef
    let low = seed ^ 0x41c6ce57
    for (let index = 0; index < text.length; index++) {
      high = Math.imul(high ^ text.charCodeAt(index), 2654435761)
      low = Math.imul(low ^ text.charCodeAt(index), 1597334677)
    }
    return 2 ** 32 * ((high ^ (low >>> 15)) & 0x1fffff) + ((low ^ (high >>> 13)) >>> 0)
  }
  // Identifiers and links, which differ from row to row, do not affect the style.
  const isStyled = (name: string) =>
    /^(class|style|type|role|open|dir|aria-(?!label|labelledby|describedby|controls|owns|details)|data-)/.test(name) &&
    name !== mark
  const states = [':disabled', ':checked', ':placeholder-shown', ':focus', ':hover', ':invalid', ':empty']
  const passedStyles = new Set(passed)
  const counts = new Map<number, number>()
  const walk = (element: Element, parentStyle: number) => {
    const attributes = [...element.attributes]
      .filter(({ name }) => isStyled(name))
      .map(({ name, value }) => name + value)
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    const ownStyle = [
      element.tagName,
      ...attributes.sort(),
      ...states.filter((state) => element.matches(state)),
      hasText ? 'text' : '',
    ].join('\n')
    const style = hash(ownStyle, hash(String(parentStyle), 7))
    const count = counts.get(style) ?? 0
    if (passedStyles.has(style) || count === perStyle) element.setAttribute(mark, '')
    else counts.set(style, count + 1)
    for (const child of element.children) walk(child, style)
  }
  const sheets = [...document.querySelectorAll('style')].map(({ textContent }) => textContent)
  walk(document.documentElement, hash([innerWidth, ...sheets].join('\n'), 0))
  return [...counts.keys()]
}

/** Runs in the page. */
function unmark(mark: string): void {
  for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark)
}

/** Runs in the page: finds a target of 24 pixels or more that sticky columns half cover until its table is scrolled. */
function isLargeOnceScrolled(selector: string): boolean {
  const target = document.querySelector(selector)
  const box = target?.getBoundingClientRect()
  if (!target || !box || box.width < 24 || box.height < 24) return false
  const isScrollable = (element: Element) =>
    element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX)
  let ancestor = target.parentElement
  while (ancestor && !isScrollable(ancestor)) ancestor = ancestor.parentElement
  const isCovered = [box.left + 1, box.left + box.width / 2, box.right - 1].some((x) => {
    const cell = document.elementFromPoint(x, box.top + box.height / 2)?.closest('th, td')
    return cell != null && !cell.contains(target) && getComputedStyle(cell).position === 'sticky'
  })
  return ancestor !== null && isCovered
}
