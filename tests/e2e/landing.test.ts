import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { fieldOf, focusedId, focusedText } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const film = 'https://films.example/masthead.webm'
const { server, onPage } = openVisits({ env: { SITE_VIDEO_URL: film } })

const topOf = (page: Page, id: string) =>
  page.locator(`#${id}`).evaluate((section) => Math.round(section.getBoundingClientRect().top))
const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY))

it('scrolls to its sections below the header within a second, and back to the top', () =>
  onPage(async ({ page, installClock }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await installClock()
    await page.goto('/')
    await page.getByRole('region', { name: 'Cookie notice' }).waitFor()
    const distance = (await topOf(page, 'pricing')) - 70
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Pricing' }).click()
    // In half of the time it passes half of the way: it does not jump.
    await page.clock.runFor(500)
    expect(Math.abs((await scrolled(page)) / distance - 0.5)).toBeLessThan(0.2)
    await page.clock.runFor(520)
    expect(await topOf(page, 'pricing')).toBe(70)
    await page.clock.resume()
    await expect.poll(() => focusedId(page)).toBe('pricing')
    expect(new URL(page.url()).hash).toBe('#pricing')
    // More than half of the page was scrolled: the notice counts as seen.
    await expect.poll(() => page.getByRole('region', { name: 'Cookie notice' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Back to the top' }).click()
    await expect.poll(() => scrolled(page)).toBe(0)
    await page.reload()
    await expect.poll(() => page.getByRole('region', { name: 'Cookie notice' }).count()).toBe(0)
  }))

it('jumps if reduced motion is preferred, even from another page', () =>
  onPage(
    async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto('/')
      await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Features' }).press('Enter')
      expect(await topOf(page, 'features')).toBe(70)
      await page.goto('/howto')
      await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Pricing' }).click()
      await arrived(page, '**/#pricing')
      await expect.poll(async () => Math.abs((await topOf(page, 'pricing')) - 70)).toBeLessThan(5)
    },
    { leavesTraces: true },
  ))

it('has a Resources menu that opens and closes by keyboard', () =>
  onPage(async ({ page }) => {
    await page.goto('/')
    const menu = page.getByRole('navigation', { name: 'Site' })
    await menu.getByText('Resources').press('Enter')
    const template = menu.getByRole('link', { name: 'Reader data template (CSV)' })
    await template.waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => focusedText(page)).toBe('Reader data template (CSV)')
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(download.suggestedFilename()).toBe('reader-upload-template.csv')
    await page.keyboard.press('Escape')
    await expect.poll(() => template.isVisible()).toBe(false)
    await expect.poll(() => focusedText(page)).toBe('Resources')
  }))

it('has a drawer on phones with two links, which can be used by keyboard', () =>
  onPage(
    async ({ page }) => {
      await page.goto('/')
      await page.getByRole('region', { name: 'Cookie notice' }).getByRole('button', { name: 'OK' }).click()
      const opener = page.getByRole('button', { name: 'Open the menu' })
      await opener.press('Enter')
      const drawer = page.getByRole('dialog', { name: 'Menu' })
      await drawer.waitFor()
      expect(await drawer.getByRole('link').allInnerTexts()).toEqual(['Publisher log in', 'Contact Us'])
      expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
      await takeScreenshot(page, 'landing-drawer')
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'hidden' })
      await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
      await opener.press('Enter')
      await drawer.getByRole('link', { name: 'Contact Us' }).press('Enter')
      await arrived(page, '**/contactme')
      await drawer.waitFor({ state: 'hidden' })
    },
    { width: 360, height: 780 },
  ))

it('keeps the focused element above the cookie notice of a phone', () =>
  onPage(
    async ({ page }) => {
      await page.goto('/contactme')
      const edgeOf = (locator: Locator, side: 'top' | 'bottom') =>
        locator.evaluate((element, name) => element.getBoundingClientRect()[name], side)
      const notice = page.getByRole('region', { name: 'Cookie notice' })
      await notice.waitFor()
      // Less than half of the page is scrolled: the notice is still shown.
      await fieldOf(page, 'name').focus()
      expect(await edgeOf(fieldOf(page, 'name'), 'bottom')).toBeLessThanOrEqual(await edgeOf(notice, 'top'))
    },
    { width: 360, height: 780 },
  ))

it('loads the film on request, and the focus goes to it', () =>
  onPage(
    async ({ page }) => {
      let requests = 0
      await page.route(film, (route) => {
        requests++
        return route.fulfill({ contentType: 'video/webm', body: '' })
      })
      await page.goto('/')
      const playLink = page.getByRole('link', { name: 'Play the film' })
      await playLink.scrollIntoViewIfNeeded()
      expect(await faultsOf(page)).toEqual([])
      expect(requests).toBe(0)
      await playLink.press('Enter')
      await expect.poll(() => requests).toBeGreaterThan(0)
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('VIDEO')
    },
    { leavesTraces: true },
  ))

it('accepts a message, whose button appears once the browser has solved the captcha, and keeps the entries on a refusal', () =>
  onPage(
    async ({ page }) => {
      await page.goto('/contactme')
      await page.getByLabel('Name').fill('Ann Lee')
      await page.getByLabel('Email').fill('ann@example')
      await page.getByRole('textbox', { name: 'Message' }).fill('We publish two magazines.')
      const sendButton = page.getByRole('button', { name: 'Send message' })
      await sendButton.click()
      await page.getByRole('alert').getByText('Invalid email address').waitFor()
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue())
        .toBe('We publish two magazines.')
      await page.getByLabel('Email').fill('ann@example.com')
      // The refusal of another field did not use up the first solution, but the page has a new one.
      await sendButton.click()
      await page.getByText('Thank you for your Contact Request. A member of the team will be in touch.').waitFor()
      expect(await server.services.db.query(`SELECT name FROM contact_requests`)).toEqual([{ name: 'Ann Lee' }])
      expect(await faultsOf(page)).toEqual([])
    },
    { width: 360, height: 780 },
  ))
