import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { editReader } from '#core/readers/edit-reader.ts'
import { arrived, faultsOf } from '#tests/support/browser.ts'
import { deferred } from '#tests/support/deferred.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { fieldOf } from '#tests/support/page-facts.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

/** A user who is logged out while filling in a form finds the input again. */
const { server, asRole } = openVisits()
let publicationId = 0

beforeEach(async () => {
  const [{ id: publisherId } = { id: 0 }] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email = 'publisher@demo.masthead.test'`,
  )
  publicationId = (await makePublication(server.services, { publisherId })).id
})

async function logInAgain(page: Page): Promise<void> {
  await arrived(page, '**/login?**')
  await page.getByLabel('Email/Username').fill('publisher@demo.masthead.test')
  await page.getByLabel('Password', { exact: true }).fill('masthead')
  await page.getByRole('button', { name: 'Log in' }).click()
}
const offer = (page: Page) => page.getByRole('alert').filter({ hasText: 'What you typed before was not saved' })
/** The forms that the browser keeps to offer again. */
const keptForms = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('sent /')))

it('a new reader is restored and added, and not offered again', () =>
  asRole('publisher', async ({ page, context }) => {
    await page.goto(`/addreader/${publicationId}`)
    await fieldOf(page, 'lastName').fill('Typed')
    // Otherwise this search, and not the form, may be the first to find that the session has ended.
    const searched = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('checkbox', { name: 'Opt out of Publication offers by post' }).uncheck()
    await searched
    await context.clearCookies()
    await page.getByRole('button', { name: 'Add Reader' }).click()
    await logInAgain(page)
    await arrived(page, `**/addreader/${publicationId}`)
    await offer(page).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await expect.poll(() => fieldOf(page, 'lastName').inputValue()).toBe('Typed')
    await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(7)
    await page.getByText('Unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Add Reader' }).click()
    await arrived(page, '**/editreader/**')
    await page.goto(`/addreader/${publicationId}`)
    expect(await keptForms(page)).toEqual([])
  }))

it('a new reader is also restored when the search for similar readers was first to find the session ended', () =>
  asRole('publisher', async ({ page, context }) => {
    await page.goto(`/addreader/${publicationId}`)
    const formSent = deferred()
    await page.route('**/addreader/**', async (route) => {
      const isSearch = route.request().postData()?.includes('similar')
      if (route.request().method() !== 'POST') return route.continue()
      // The form is still being sent when the response to the search redirects to the log-in.
      if (!isSearch) return formSent.resolve()
      await formSent.promise
      await route.continue()
    })
    await fieldOf(page, 'lastName').fill('Typed')
    await context.clearCookies()
    await page.getByRole('checkbox', { name: 'Opt out of Publication offers by post' }).uncheck()
    await page.getByRole('button', { name: 'Add Reader' }).click()
    await logInAgain(page)
    await arrived(page, `**/addreader/${publicationId}`)
    await offer(page).waitFor()
  }))

it('an unsent new reader is restored when the search for similar readers finds the session ended', () =>
  asRole('publisher', async ({ page, context }) => {
    await page.goto(`/addreader/${publicationId}`)
    await fieldOf(page, 'lastName').fill('Typed')
    await context.clearCookies()
    await page.getByRole('checkbox', { name: 'Opt out of Publication offers by post' }).uncheck()
    await logInAgain(page)
    await arrived(page, `**/addreader/${publicationId}`)
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await expect.poll(() => fieldOf(page, 'lastName').inputValue()).toBe('Typed')
  }))

it('an edited reader is restored over the stored values, and can be discarded', () =>
  asRole('publisher', async ({ page, context }) => {
    const id = await makeReader(server.services, publicationId, { lastName: 'Quill', telephone: '1' })
    for (const action of ['Discard it', 'Restore what I typed']) {
      await page.goto(`/editreader/${id}`)
      await fieldOf(page, 'telephone').fill('01843 999')
      await context.clearCookies()
      await page.getByRole('button', { name: 'Update Reader' }).click()
      await logInAgain(page)
      await page.getByRole('button', { name: action }).click()
      await offer(page).waitFor({ state: 'detached' })
      await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe(action === 'Discard it' ? '1' : '01843 999')
    }
    await page.getByRole('button', { name: 'Update Reader' }).click()
    await page.getByText('Reader updated successfully').waitFor()
    expect(await readerRow(server.services, id)).toMatchObject({ telephone: '01843 999' })
  }))

it('a transfer is restored without its key and passphrase, which the browser does not keep', () =>
  asRole('publisher', async ({ page, context }) => {
    await page.goto(`/managedata/transfers/${publicationId}?new=import-sftp`)
    await fieldOf(page, 'host').fill('sftp.example.test')
    await fieldOf(page, 'privateKey').fill('a private key')
    await fieldOf(page, 'passphrase').fill('a private passphrase')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Add transfer' }).click()
    await arrived(page, '**/login?**')
    const stored = await page.evaluate(() => JSON.stringify(sessionStorage))
    expect(stored).toContain('sftp.example.test')
    expect(stored).not.toContain('a private')
    await logInAgain(page)
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await expect.poll(() => fieldOf(page, 'host').inputValue()).toBe('sftp.example.test')
    for (const name of ['privateKey', 'passphrase']) expect(await fieldOf(page, name).inputValue()).toBe('')
  }))

it('a refused form is offered again after a reload, and nothing after a save', () =>
  asRole('publisher', async ({ page }) => {
    const id = await makeReader(server.services, publicationId, { lastName: 'Quill' })
    await page.goto(`/editreader/${id}`)
    await fieldOf(page, 'email').fill('no email')
    await page.getByRole('button', { name: 'Update Reader' }).click()
    await page.getByText('Please fix the errors and retry').first().waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe('no email')
    await fieldOf(page, 'email').fill('quill@example.org')
    await page.getByRole('button', { name: 'Update Reader' }).click()
    await page.getByText('Reader updated successfully').waitFor()
    await page.reload()
    expect(await keptForms(page)).toEqual([])
    await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe('quill@example.org')
  }))

/** The browser's own log of a request that was aborted is not a fault of the page. */
const expectOnlyAborted = (problems: () => string[]) =>
  expect(problems().filter((problem) => !/net::ERR_|ConnectionLost/.test(problem))).toEqual([])
const failureHeading = (page: Page) => page.getByRole('heading', { name: 'The server cannot be reached' })

it('an accepted new reader is not offered again after the page that follows could not be opened', () =>
  asRole('publisher', async ({ page, problems }) => {
    await page.goto(`/addreader/${publicationId}`)
    await fieldOf(page, 'lastName').fill('Typed')
    await page.route('**/editreader/*.data*', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Add Reader' }).click()
    await failureHeading(page).waitFor()
    await page.goto(`/addreader/${publicationId}`)
    expect(await keptForms(page)).toEqual([])
    expectOnlyAborted(problems)
  }))

it('an accepted new reader is not offered again where the script of the page that follows is gone after a deployment', () =>
  asRole('publisher', async ({ page, problems }) => {
    await page.goto(`/addreader/${publicationId}`)
    let isScriptGone = true
    await page.route(/\/assets\/reader-[\w-]{8}\.js$/, (route) =>
      isScriptGone ? route.fulfill({ status: 404, body: 'not found' }) : route.continue(),
    )
    // The document of the next page names the script of the newer version.
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isScriptGone = false
    })
    await fieldOf(page, 'lastName').fill('Typed')
    await page.getByRole('button', { name: 'Add Reader' }).click()
    await arrived(page, '**/editreader/**')
    await expect.poll(() => fieldOf(page, 'lastName').inputValue()).toBe('Typed')
    expect(await keptForms(page)).toEqual([])
    await page.goto(`/addreader/${publicationId}`)
    expect(await keptForms(page)).toEqual([])
    expect(problems().filter((problem) => !/404|route module/.test(problem))).toEqual([])
  }))

it('an updated reader is not offered again after the page could not be shown again', () =>
  asRole('publisher', async ({ page, problems }) => {
    const id = await makeReader(server.services, publicationId, { lastName: 'Quill', telephone: '1' })
    await page.goto(`/editreader/${id}`)
    await fieldOf(page, 'telephone').fill('01843 999')
    await page.route('**/editreader/*.data*', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 500, body: 'fault' }) : route.continue(),
    )
    await page.getByRole('button', { name: 'Update Reader' }).click()
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 999')
    expect(await keptForms(page)).toEqual([])
    problems()
  }))

it('what was typed is offered again after a message’s Undo on the same page could not be sent', () =>
  asRole('publisher', async ({ page, problems }) => {
    const id = await makeReader(server.services, publicationId, { lastName: 'Quill', telephone: '1' })
    await page.goto(`/editreader/${id}`)
    await page.getByRole('button', { name: 'Deactivate Reader' }).click()
    const undo = page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' })
    // A message stays while the mouse is over it.
    await undo.hover()
    await fieldOf(page, 'telephone').fill('01843 999')
    await page.route('**/editreader/*.data*', (route) => route.abort(), { times: 1 })
    await undo.click()
    await failureHeading(page).waitFor()
    await page.goto(`/editreader/${id}`)
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 999')
    expectOnlyAborted(problems)
  }))

it('each of the forms at one address is restored separately', () =>
  asRole('publisher', async ({ page, context }) => {
    await page.goto('/thirdparty')
    await fieldOf(page, 'app-name').fill('Harbour Reader')
    await fieldOf(page, 'app-redirectUris').fill('https://app.example.com/login')
    await fieldOf(page, 'name').fill('Quill & Co')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Add key' }).click()
    await logInAgain(page)
    await arrived(page, /\/thirdparty/)
    await expect.poll(() => offer(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Restore what I typed' }).last().click()
    await expect.poll(() => fieldOf(page, 'app-redirectUris').inputValue()).toBe('https://app.example.com/login')
    await expect.poll(() => fieldOf(page, 'app-name').inputValue()).toBe('Harbour Reader')
    await expect.poll(() => fieldOf(page, 'name').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await expect.poll(() => fieldOf(page, 'name').inputValue()).toBe('Quill & Co')
  }))

it.each([
  ['/thirdparty/webhooks', 'url', 'https://crm.example.test/hook', 'Add webhook'],
  ['/emailtemplates/sender', 'replyTo', 'letters@example.test', 'Save sender'],
])('what was typed at %s is restored', (path, name, typed, button) =>
  asRole('publisher', async ({ page, context }) => {
    await page.goto(path)
    await fieldOf(page, name).fill(typed)
    await context.clearCookies()
    await page.getByRole('button', { name: button }).click()
    await logInAgain(page)
    await arrived(page, `**${path}`)
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await expect.poll(() => fieldOf(page, name).inputValue()).toBe(typed)
  }),
)

it('a restored reader that somebody else changed meanwhile is compared once, then saved', () =>
  asRole('publisher', async ({ page, context }) => {
    const id = await makeReader(server.services, publicationId, { lastName: 'Quill', telephone: '1', city: 'Bath' })
    await page.goto(`/editreader/${id}`)
    await fieldOf(page, 'telephone').fill('01843 999')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Update Reader' }).click()
    await arrived(page, '**/login?**')
    await editReader(server.as(operator), { id, telephone: '2' })
    await logInAgain(page)
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await expect.poll(() => fieldOf(page, 'telephone').inputValue()).toBe('01843 999')
    await page.getByRole('button', { name: 'Update Reader' }).click()
    await page.getByRole('heading', { name: 'Two versions of this reader' }).waitFor()
    await page.getByRole('button', { name: 'Update Reader' }).click()
    await page.getByText('Reader updated successfully').waitFor()
  }))

it('a restored back issue is saved with the stock that a refusal has named', () =>
  asRole('publisher', async ({ page, context }) => {
    const { db } = server.services
    const [{ id } = { id: 0 }] = await db.query<{ id: number }>(`SELECT MIN(id) AS id FROM back_issues`)
    const setStock = (stock: number) => db.run(`UPDATE back_issues SET stock = :stock WHERE id = :id`, { id, stock })
    await setStock(3)
    await page.goto(`/editBackIssue/${id}`)
    await fieldOf(page, 'stock').fill('5')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Update Back Issue' }).click()
    await arrived(page, '**/login?**')
    await setStock(1)
    await logInAgain(page)
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await expect.poll(() => fieldOf(page, 'stock').inputValue()).toBe('5')
    await page.getByRole('button', { name: 'Update Back Issue' }).click()
    await page.getByRole('alert').getByText('It is now 1 copy').waitFor()
    await page.getByRole('button', { name: 'Update Back Issue' }).click()
    await page.getByText('The Back Issue has updated').waitFor()
  }))
