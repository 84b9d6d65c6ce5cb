// The behaviour that all forms of the back office share: docs/how-to/form.md.

import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addTransfer } from '#core/transfers/save-transfer.ts'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { deferred } from '#tests/support/deferred.ts'
import { actorOf, makePublication, makeUser } from '#tests/support/factories.ts'
import { fieldOf, focusedId, focusedRole, mainAlert } from '#tests/support/page-facts.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole, asUser } = openVisits()
const newPublisherEmail = 'newcomer@example.test'
let publicationId = 0
let publisherId = 0

beforeAll(async () => {
  await makeUser(server.services, { email: newPublisherEmail })
})

beforeEach(async () => {
  const [publisher] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publisherId = publisher?.id ?? 0
  publicationId = (await makePublication(server.services, { publisherId })).id
})

interface ClientRouting {
  __remixRouter: { state: { navigation: { state: string }; actionData: object | null } }
}

const itemsOf = (page: Page) => mainAlert(page).getByRole('listitem').allInnerTexts()

/** Whether the box is completely inside the window. */
const isInView = (page: Page) =>
  mainAlert(page).evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

describe('a refused form', () => {
  it('reports errors by the names of its fields, in view and with the focus, and drops each as it is corrected', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/adduser')
        await page.getByRole('button', { name: 'Add user' }).click()
        await mainAlert(page).waitFor()
        await expect.poll(() => focusedRole(page)).toBe('alert')
        await expect.poll(() => isInView(page)).toBe(true)
        await expect
          .poll(() => itemsOf(page))
          .toEqual(['First name: enter a value', 'Last name: enter a value', 'Email: enter a value', 'Choose a role'])
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'refused-user')
        // Shown only once: a message at the foot would cover the button to try again.
        expect(await page.locator('[data-sonner-toast]').count()).toBe(0)
        await expect.poll(() => page.getByText('User not added').count()).toBe(1)
        await mainAlert(page).getByRole('link', { name: 'First name: enter a value' }).click()
        await expect.poll(() => focusedId(page)).toBe('field-firstName')
        await page.keyboard.type('I')
        await expect.poll(() => itemsOf(page)).toHaveLength(3)
        await expect.poll(() => fieldOf(page, 'firstName').getAttribute('aria-invalid')).toBe(null)
        await expect.poll(() => focusedId(page)).toBe('field-firstName')
        // The field has its refused value again.
        await page.keyboard.press('Backspace')
        await expect.poll(() => itemsOf(page)).toHaveLength(4)
        await fieldOf(page, 'firstName').fill('Ida')
        await fieldOf(page, 'lastName').fill('Quill')
        await fieldOf(page, 'email').fill('ida@example.test')
        await page.getByRole('radio', { name: 'Mailing list downloader' }).check()
        await mainAlert(page).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Add user' }).click()
        await arrived(page, '**/users')
        await expect.poll(() => page.title()).toBe('Users – Masthead')
      },
      { width: 360 },
    ))
})

describe('the publication wizard', () => {
  it('drops the message of a handle that it has filled in itself', () =>
    asUser(newPublisherEmail, async ({ page }) => {
      await page.goto('/addpublication')
      await page.getByRole('button', { name: 'Next', exact: true }).click()
      await mainAlert(page).getByRole('link', { name: 'Handle: enter a value' }).waitFor()
      await fieldOf(page, 'publicationName').fill('The Weekly Slug')
      await expect.poll(() => fieldOf(page, 'urlKey').inputValue()).toBe('the-weekly-slug')
      await expect
        .poll(() => itemsOf(page))
        .toEqual(['Issues a year: enter a value', 'Enquiries email: enter a value', 'Order email: enter a value'])
      await expect.poll(() => fieldOf(page, 'urlKey').getAttribute('aria-invalid')).toBe(null)
    }))
})

describe('a text that is too long', () => {
  it('stays as it was typed, and the box shows by how much it is too long', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/addreader/${publicationId}`)
      const name = fieldOf(page, 'firstName')
      await name.fill('x'.repeat(300))
      expect((await name.inputValue()).length).toBe(300)
      await page.getByText('200 over the limit of 100 characters').waitFor()
      await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
      await page.getByRole('button', { name: 'Add Reader' }).click()
      await mainAlert(page).getByRole('link', { name: 'First name: Must be 100 characters or fewer' }).waitFor()
      expect((await name.inputValue()).length).toBe(300)
      await name.fill('Ida')
      await mainAlert(page).waitFor({ state: 'detached' })
      await expect.poll(() => page.getByText('over the limit of').count()).toBe(0)
    }))
})

describe('another place on the same page', () => {
  it('can be visited without losing what was typed', () =>
    asRole('publisher', async ({ page }) => {
      const id = await makeReader(server.services, publicationId, { lastName: 'Quill', telephone: '1' })
      await page.goto(`/editreader/${id}?list=%3Fq%3DQuill`)
      await fieldOf(page, 'telephone').fill('01843 999')
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await arrived(page, '**/editreader/*?list=*#edit')
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 999')
      const stop = page.getByRole('button', { name: 'Stop', exact: true })
      await expect.poll(() => stop.getAttribute('aria-disabled')).toBe('true')
      await page.getByRole('button', { name: 'Discard' }).click()
      await expect.poll(() => stop.getAttribute('aria-disabled')).toBe(null)
    }))
})

describe('buttons that use the stored settings', () => {
  it('are disabled while a transfer has unsaved ones', () =>
    asRole('publisher', async ({ page }) => {
      const ctx = server.as(await actorOf(server.services, 'publisher', publisherId))
      const { id } = await addTransfer(ctx, {
        publicationId,
        kind: 'mailing-file',
        name: 'To the printer',
        host: 'files.example.test',
        login: 'printer',
        password: 'a password',
        runAt: '02:30',
        alertUsers: [publisherId],
      })
      await server.services.db.run(`UPDATE transfers SET layout = 'Old labels' WHERE id = :id`, { id })
      await page.goto(`/managedata/transfers/${publicationId}/${id}`)
      const check = page.getByRole('button', { name: 'Check connection' })
      await expect.poll(() => check.getAttribute('aria-disabled')).toBe(null)
      await fieldOf(page, 'folder').fill('/letters')
      await expect.poll(() => check.getAttribute('aria-disabled')).toBe('true')
      // The layout was removed after it was chosen.
      await expect.poll(() => fieldOf(page, 'layout').inputValue()).toBe('Old labels')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await mainAlert(page).getByRole('link', { name: 'Layout: Choose one of the layouts' }).waitFor()
      await fieldOf(page, 'layout').selectOption('')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Transfer saved').first().waitFor()
      await expect.poll(() => check.getAttribute('aria-disabled')).toBe(null)
      await expect.poll(() => fieldOf(page, 'folder').inputValue()).toBe('/letters')
    }))
})

describe('the end of a form', () => {
  it.each(['/adduser', '/account/keys'])('of %s has no gap below its last part', (path) =>
    asRole('publisher', async ({ page }) => {
      await page.goto(path)
      const gap = await page
        .locator('main form')
        .last()
        .evaluate((form) => {
          const lastPart = [...form.children].findLast((part) => part.getClientRects().length > 0)
          return lastPart && getComputedStyle(lastPart).marginBottom
        })
      expect(gap).toBe('0px')
    }),
  )
})

describe('required fields', () => {
  it('have a star that the form explains once, and nothing else is marked', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/adduser')
      await page.getByText('Fields marked').waitFor()
      await expect.poll(() => page.getByText('(optional)').count()).toBe(0)
      await page.goto('/account/two-step')
      await expect.poll(() => page.getByText('Fields marked').isVisible()).toBe(false)
    }))
})

describe('two clicks', () => {
  it('send a form once', () =>
    asRole('publisher', async ({ page }) => {
      let sent = 0
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().includes('/addreader/')) sent++
      })
      await page.goto(`/addreader/${publicationId}`)
      await fieldOf(page, 'uniqueReference').fill('TWICE-1')
      await fieldOf(page, 'companyName').fill('Quill Press')
      sent = 0
      await page.getByRole('button', { name: 'Add Reader' }).evaluate((button: HTMLButtonElement) => {
        button.form?.requestSubmit(button)
        button.form?.requestSubmit(button)
      })
      await arrived(page, '**/editreader/**')
      expect(sent).toBe(1)
    }))

  it('send the form twice if the first was refused before the page showed it as pending', () =>
    asRole('publisher', async ({ page }) => {
      // A page that is too busy to render: the messages by which React schedules its work are held until `resume`.
      await page.addInitScript(() => {
        const { postMessage } = MessagePort.prototype
        const waiting: (() => void)[] = []
        MessagePort.prototype.postMessage = function (this: MessagePort, ...args: [unknown]) {
          const send = () => postMessage.apply(this, args)
          if ('isBusy' in window) waiting.push(send)
          else send()
        } as typeof postMessage
        Object.assign(window, {
          resume() {
            Reflect.deleteProperty(window, 'isBusy')
            for (const send of waiting.splice(0)) send()
          },
        })
      })
      await page.goto('/adduser')
      const nextResponse = () =>
        page.waitForResponse(
          (response) => response.request().method() === 'POST' && response.url().includes('/adduser'),
        )
      const refused = nextResponse()
      await page.evaluate(() => Object.assign(window, { isBusy: true }))
      await page.getByRole('button', { name: 'Add user' }).click()
      await refused
      // The router has read the refusal, which the page has not shown yet.
      await page.waitForFunction(() => {
        const { state } = (window as unknown as ClientRouting).__remixRouter
        return state.navigation.state === 'idle' && state.actionData !== null
      })
      expect(await mainAlert(page).count()).toBe(0)
      await page.evaluate(() => (window as unknown as { resume(): void }).resume())
      await mainAlert(page).waitFor()
      await fieldOf(page, 'firstName').fill('Ida')
      const nextSubmission = nextResponse()
      await page.getByRole('button', { name: 'Add user' }).click()
      expect((await nextSubmission).status()).toBe(422)
      await expect.poll(() => itemsOf(page)).toHaveLength(3)
    }))

  it('send the form twice if the first was answered and the page is still reloading its data', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto(`/mailinglayouts/${publicationId}?new`)
      await fieldOf(page, 'name').fill('Acme')
      const released = deferred()
      await page.route('**/mailinglayouts/*.data*', async (route) => {
        if (route.request().method() === 'GET') await released.promise
        await route.continue()
      })
      const reload = page.waitForRequest((request) => request.method() === 'GET' && request.url().includes('.data'))
      await page.getByRole('button', { name: 'Preview', exact: true }).click()
      await page.getByRole('heading', { name: 'Some readers from today’s file' }).waitFor()
      await reload
      const saved = page.waitForRequest((request) => request.method() === 'POST')
      await page.getByRole('button', { name: 'Add layout' }).click()
      await saved
      released.resolve()
      await page.getByText('New layout added').waitFor()
    }))
})
