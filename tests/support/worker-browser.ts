import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'

let launched: Promise<Browser> | undefined

/** The browser shared by all files of this worker: launching one, and filling its cache, costs as much as several tests. */
export async function workerBrowser(): Promise<Browser> {
  const browser = await launched
  if (browser?.isConnected()) return browser
  launched = openBrowser()
  globalThis.endsOfWorker ??= []
  globalThis.endsOfWorker.push(closeBrowser)
  return launched
}

async function closeBrowser(): Promise<void> {
  const browser = await launched
  await browser?.close()
}
