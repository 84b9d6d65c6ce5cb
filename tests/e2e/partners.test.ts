import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole, onPage } = openVisits()
let publicationId: number
beforeAll(async () => {
  const [shop] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = shop?.id ?? 0
})

/** A partner's app: the address that readers are sent back to, and the addresses that they came back with. */
async function startApp() {
  const returns: URL[] = []
  const app = createServer((request, response) => {
    returns.push(new URL(request.url ?? '', 'http://app'))
    response.setHeader('Content-Type', 'text/html').end('<h1>Back in the app</h1>')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => app.once('listening', resolve))
  atFileEnd(() => void app.close())
  return { redirectUri: `http://127.0.0.1:${(app.address() as AddressInfo).port}/back`, returns }
}

const post = async (path: string, body: object | URLSearchParams, headers: Record<string, string> = {}) => {
  const isForm = body instanceof URLSearchParams
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...(isForm ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: isForm ? body : JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

describe('a partner', () => {
  let key = ''
  let clientId = ''
  let redirectUri = ''
  let returns: URL[] = []

  it('gets a key and an app, and the publisher tests the call', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/thirdparty/?publication=${publicationId}`)
        await page.getByRole('heading', { name: 'Step Two' }).waitFor()
        const generate = page.getByRole('button', { name: 'Generate new API Key' })
        if (await generate.isVisible()) {
          await takeScreenshot(page, 'third-party-none')
          await generate.click()
          await generate.waitFor({ state: 'detached' })
        }
        const stepOne = page.locator('section', { has: page.getByRole('heading', { name: 'Step One' }) })
        await stepOne.locator('summary').click()
        key = await stepOne.locator('details code').last().innerText()
        expect(key).toMatch(/^mk_[\w-]{43}$/)
        const name = 'Partner'
        const furtherKeys = page.locator('section', { has: page.getByRole('heading', { name: 'Further keys' }) })
        await furtherKeys.getByRole('button', { name: 'Add key' }).click()
        await furtherKeys.getByText('Name: enter a value').waitFor()
        await furtherKeys.getByLabel('Name').fill(name)
        await furtherKeys.getByLabel('Look up subscribers by email only').check()
        await furtherKeys.getByRole('button', { name: 'Add key' }).click()
        const added = furtherKeys.locator('li', { hasText: name })
        await added.getByRole('button', { name: 'Replace key' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Replace key' }).click()
        await furtherKeys.getByText('Replaced', { exact: true }).waitFor()
        await added.filter({ hasText: 'Replaced' }).getByRole('button', { name: 'Revoke now' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke now' }).click()
        await furtherKeys.getByText('Replaced', { exact: true }).waitFor({ state: 'detached' })
        const tryIt = page.locator('section[aria-labelledby=try-it]')
        await tryIt.getByLabel('Email').fill('reader@demo.masthead.test')
        await tryIt.getByLabel('Password', { exact: true }).fill('masthead')
        await tryIt.getByRole('button', { name: 'Check' }).click()
        await tryIt.getByText('Response', { exact: true }).waitFor()
        expect(await tryIt.locator('pre').innerText()).toContain('"fname"')
        const apps = page.locator('section', {
          has: page.getByRole('heading', { name: 'Log in with your subscription' }),
        })
        await apps.getByLabel('Name of the app').fill('Pocket reader')
        const addresses = apps.getByLabel('Redirect URIs')
        await addresses.fill('http://app.example.com/back')
        await apps.getByRole('button', { name: 'Add app' }).click()
        await apps.getByText('must begin with https://').first().waitFor()
        const app = await startApp()
        redirectUri = app.redirectUri
        returns = app.returns
        await addresses.fill(redirectUri)
        await apps.getByRole('button', { name: 'Add app' }).click()
        const row = apps.locator('li', { hasText: 'Pocket reader' }).first()
        clientId = await row.locator('p code').innerText()
        // The page shows the JSON of a response, in which null is a valid value.
        const faults = await faultsOf(page, { alsoAt: [1280] })
        expect(faults.filter((fault) => !fault.includes('"reason": null'))).toEqual([])
        await takeScreenshot(page, 'third-party')
      },
      { width: 360 },
    ))

  it('checks a subscriber, and gets the same answer for a wrong password and an unknown email', async () => {
    const check = (email: string, password: string) => post('/api/thirdparty/checksubscriber', { key, email, password })
    const accepted = await check('reader@demo.masthead.test', 'masthead')
    expect(accepted).toMatchObject({
      status: 200,
      json: { fname: expect.any(String), reason: expect.not.stringMatching('credentials') },
    })
    const refused = await check('reader@demo.masthead.test', 'guess')
    expect(refused).toEqual(await check('nobody@demo.masthead.test', 'guess'))
    expect(refused.json).toMatchObject({ response: 'failed', reason: 'credentials' })
  })

  it('logs a reader in with PKCE, verifies the token, and gets the next one', () =>
    onPage(async ({ page }) => {
      const verifier = 'only-the-app-knows-this-verifier-0123456789abc'
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        state: 'xyz',
      })
      const metadata = (await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json()) as Record<
        string,
        string
      >
      expect(metadata.authorization_endpoint).toMatch(/\/oauth\/authorize$/)
      await page.goto(`/oauth/authorize?${query}`)
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Pocket reader')
      expect(await faultsOf(page)).toEqual([])
      await page.getByLabel('Email').fill('reader@demo.masthead.test')
      await page.getByLabel('Password', { exact: true }).fill('guess')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('The email or the password is wrong').first().waitFor()
      await page.getByLabel('Password', { exact: true }).fill('masthead')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('heading', { name: 'Back in the app' }).waitFor()
      const redirect = returns.find(({ pathname }) => pathname === '/back')
      expect(redirect?.searchParams.get('state')).toBe('xyz')
      const code = redirect?.searchParams.get('code') ?? ''
      const exchange = (fields: Record<string, string>) =>
        post('/api/thirdparty/oauth/token', new URLSearchParams({ client_id: clientId, ...fields }))
      const byCode = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
      const issued = await exchange(byCode)
      expect(issued).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 900 } })
      const keys = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`))
      const { payload } = await jwtVerify(String(issued.json.access_token), keys, {
        audience: clientId,
        issuer: metadata.issuer,
      })
      expect(payload.publication).toBe(publicationId)
      const refreshed = await exchange({
        grant_type: 'refresh_token',
        refresh_token: String(issued.json.refresh_token),
      })
      expect(refreshed.status).toBe(200)
      // Replaying the code ends the log-in.
      expect(await exchange(byCode)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
      const ended = await exchange({ grant_type: 'refresh_token', refresh_token: String(refreshed.json.refresh_token) })
      expect(ended).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
      // A logged-in buyer is asked once more, and can choose another account.
      await page.goto(`/oauth/authorize?${query}`)
      await page.getByText('You are logged in as reader@demo.masthead.test.').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Use another account' }).click()
      await page.getByLabel('Email').waitFor()
      // An unregistered address is not redirected to.
      query.set('redirect_uri', 'https://evil.example/')
      await page.goto(`/oauth/authorize?${query}`)
      await page.getByText('an address that is not registered here').waitFor()
      expect(page.url()).toContain('/oauth/authorize')
    }))
})
