import type { Browser } from 'playwright-core'

/** The bytes that a browser transfers on its first visit, and how much the layout shifts during loading. */
export interface FirstVisit {
  bytes: Record<string, number>
  files: { path: string; bytes: number }[]
  /** Cumulative layout shift, counted until a second after everything has arrived. */
  shift: number
}

/** Visits a page with an empty cache and the width of a phone or a desktop. */
export async function firstVisit(browser: Browser, address: string, width: number): Promise<FirstVisit> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, locale: 'en-GB' })
  try {
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    const kinds = new Map<string, { kind: string; path: string }>()
    const files: FirstVisit['files'] = []
    const bytes: Record<string, number> = {}
    network.on('Network.responseReceived', ({ requestId, type, response }) => {
      kinds.set(requestId, { kind: type, path: new URL(response.url).pathname })
    })
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const file = kinds.get(requestId)
      if (!file) return
      files.push({ path: file.path, bytes: encodedDataLength })
      bytes[file.kind] = (bytes[file.kind] ?? 0) + encodedDataLength
    })
    await page.addInitScript(() => {
      const shifts = { total: 0 }
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.total += (entry as PerformanceEntry & { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(address, { waitUntil: 'networkidle' })
    await page.waitForTimeout(1_000)
    const shift = await page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total)
    return { bytes, files: files.sort((a, b) => b.bytes - a.bytes), shift }
  } finally {
    await context.close()
  }
}
