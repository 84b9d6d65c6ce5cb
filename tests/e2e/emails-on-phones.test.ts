import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emails, type MailName } from '#core/emails/emails.ts'
import { languages } from '#core/kernel/languages.ts'
import { sampleMailer as mailer } from '#tests/support/sample-mailer.ts'
import { workerBrowser } from '#tests/support/worker-browser.ts'

let page: Page
beforeAll(async () => {
  page = await (await workerBrowser()).newPage({ viewport: { width: 320, height: 600 } })
})
afterAll(() => page.close())

describe.each(Object.keys(emails) as MailName[])('%s on a phone of 320 pixels', (name) => {
  it('fits the screen in every language, even with long addresses and words', async () => {
    for (const language of emails[name].custom ? languages : (['en'] as const)) {
      const sample = {
        ...emails[name].sample(language),
        publicationName: 'Donaudampfschifffahrtsgesellschaftskapitänsblatt',
        publisherName: 'Donaudampfschifffahrtsgesellschaftskapitänsblatt',
      }
      await page.setContent((await mailer.render(name, sample)).html)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), language).toBe(320)
    }
  })
})
