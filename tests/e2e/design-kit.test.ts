import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { faultsOf, type PageOptions } from '#tests/support/browser.ts'
import { focusedId, focusedText } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { onPage } = openVisits()

/** Opens a path as a visitor. */
function onPath(path: string, work: (page: Page) => Promise<void>, options: Partial<PageOptions> = {}): Promise<void> {
  return onPage(async ({ page }) => {
    await page.goto(path)
    await work(page)
  }, options)
}

describe('the design kit', () => {
  it('has no faults at any width, with and without a window open', () =>
    onPath('/testst/', async (page) => {
      expect(await faultsOf(page, { alsoAt: [360, 320] })).toEqual([])
      await page.getByRole('button', { name: 'Open dialog' }).click()
      await page.getByRole('dialog').waitFor()
      expect(await faultsOf(page, { alsoAt: [360, 320] })).toEqual([])
    }))

  it('shows the edge of a window where the system sets the colours', () =>
    onPath('/testst/', async (page) => {
      await page.emulateMedia({ forcedColors: 'active' })
      await page.getByRole('button', { name: 'Open dialog' }).click()
      const edge = await page.getByRole('dialog').evaluate((panel) => {
        const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(panel)
        return { width: borderTopWidth, isVisible: borderTopColor !== backgroundColor }
      })
      await page.emulateMedia({ forcedColors: null })
      expect(edge).toEqual({ width: '1px', isVisible: true })
    }))

  it('confirms with the focus on Cancel; Esc returns the focus and does nothing', () =>
    onPath('/testst/', async (page) => {
      const opener = page.getByRole('button', { name: 'Remove sample' })
      await opener.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('alertdialog', { name: 'Remove “Sample”?' }).waitFor()
      await expect.poll(() => focusedText(page)).toBe('Cancel')
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
      await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
      await expect.poll(() => page.getByText('The sample is here.').count()).toBe(1)
      await opener.click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove sample' }).click()
      await page.getByText('The sample is removed.').waitFor()
    }))

  it('shows a toast after the redirect in a live region, once, and closes it by its button', () =>
    onPath('/testst/', async (page) => {
      await page.getByRole('textbox', { name: 'Word', exact: true }).fill('masthead')
      await page.getByRole('button', { name: 'Save word' }).click()
      const toast = page.locator('section[aria-live="polite"] [data-sonner-toast]')
      await toast.getByText('Saved “masthead”').waitFor()
      await toast.getByRole('button', { name: 'Close', exact: true }).click()
      await toast.waitFor({ state: 'detached' })
      const reloaded = await page.reload()
      expect((await reloaded?.text())?.includes('Saved “masthead”')).toBe(false)
    }))

  it('reports errors in a summary that leads to the field, and works without JavaScript', async () => {
    await onPath('/testst/', async (page) => {
      await page.getByRole('button', { name: 'Save word' }).click()
      await page.getByRole('alert').getByRole('link', { name: 'Enter a word' }).click()
      await expect.poll(() => focusedId(page)).toBe('field-word')
    })
    await onPath(
      '/testst/',
      async (page) => {
        await page.getByRole('textbox', { name: 'Word', exact: true }).fill('plain')
        await page.getByRole('button', { name: 'Save word' }).click()
        await expect.poll(() => page.getByRole('status').filter({ hasText: 'Saved' }).innerText()).toBe('Saved “plain”')
      },
      { javaScriptEnabled: false },
    )
  })
})
