import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { takeScreenshot } from '#tests/support/browser.ts'
import { openVisits } from '#tests/support/visits.ts'

const { asRole } = openVisits()

/** Makes a page fail only in the browser: its data cannot be rendered, as if a server of another release had sent it. */
async function corruptUsersData(page: Page): Promise<void> {
  await page.route('**/users.data*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response: response, body: (await response.text()).replaceAll('"rows"', '"sorws"') })
  })
}

const referenceOn = async (page: Page) => {
  const text = page.getByText('If you contact us, please give this reference:')
  return /[0-9a-f]{4}(-[0-9a-f]{4}){2}/.exec(await text.innerText())?.[0]
}

it('a failed page shows the reference under which it is reported to the server, even without a connection', () =>
  asRole('publisher', async ({ page, context, problems }) => {
    await corruptUsersData(page)
    const openUsers = async () => {
      await page.goto('/publications?q=quill@example.test')
      await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' }).click()
    }
    const reported = page.waitForResponse('**/browser-faults')
    await openUsers()
    const report = await reported
    await page.getByRole('heading', { level: 1, name: 'Sorry, something went wrong' }).waitFor()
    expect(report.status()).toBe(204)
    const body = report.request().postDataJSON()
    expect(body).toMatchObject({ path: '/users', build: expect.stringMatching(/^[0-9a-f]{8}$/) })
    expect(body.stack).toMatch(/\.js:\d+:\d+/)
    expect(await referenceOn(page)).toBe(body.reference)
    await takeScreenshot(page, 'browser-fault')

    // The report of this fault cannot be sent.
    await page.route('**/browser-faults', (route) => route.abort('internetdisconnected'))
    const failedReport = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/browser-faults'))
    await openUsers()
    await failedReport
    await expect.poll(() => referenceOn(page)).toBeTruthy()
    expect(await referenceOn(page)).not.toBe(body.reference)
    // React logs the error it caught, and the browser the failed request.
    expect(problems().filter((problem) => !/TypeError|Cannot read|ERR_INTERNET/.test(problem))).toEqual([])
    await context.unrouteAll({ behavior: 'ignoreErrors' })
  }))
