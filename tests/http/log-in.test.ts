import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePasswordLink } from '#core/users/password-link.ts'
import { makeUser, system } from '#tests/support/factories.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ seed: false })
})
afterAll(() => server.stop())

function post(path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { origin: server.url },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
}

it('superusers and other users have separate log-in pages, which refuse each other’s users', async () => {
  const { email: superuser } = await makeUser(server.services, { userType: 'superuser' })
  const { email: publisher } = await makeUser(server.services)
  for (const [path, email] of [
    ['/login', superuser],
    ['/slogin', publisher],
  ] as const) {
    const refused = await post(path, { email, password: 'masthead' })
    expect([path, refused.status, refused.headers.get('set-cookie')]).toEqual([path, 422, null])
    expect(await refused.text()).toMatch(/role="alert"[^>]*>.*?The email or the password is wrong/s)
  }
})

describe('the log-in that a session which has ended leads to', () => {
  const endings = [
    [`UPDATE users SET token_version = token_version + 1 WHERE id = :id`, /password or your role was changed/],
    [
      `UPDATE sessions SET ended_at = :now, end_reason = 'password-changed' WHERE user_id = :id`,
      /password of your account was changed/,
    ],
    [`UPDATE sessions SET ended_at = :now, end_reason = 'role-changed' WHERE user_id = :id`, /role was changed/],
    [`UPDATE sessions SET last_seen_at = '2020-01-01 00:00:00.000 +00:00' WHERE user_id = :id`, /inactivity/],
    [`UPDATE users SET is_active = 0 WHERE id = :id`, /access has been removed/],
  ] as const

  it('says why the session ended, and names the page to return to', async () => {
    const user = await makeUser(server.services)
    for (const [sql, reason] of endings) {
      const headers = { cookie: await staffCookie(server.services, user.email) }
      const payments = () => fetch(`${server.url}/payments`, { headers })
      expect(new URL((await payments()).url).pathname).toBe('/payments')
      await server.services.db.run(sql, { id: user.id, now: new Date() })
      const page = await payments()
      const { pathname, searchParams } = new URL(page.url)
      expect([sql, pathname, searchParams.get('returnTo')]).toEqual([sql, '/login', '/payments'])
      expect(/<main.*<\/main>/s.exec(await page.text())?.[0]).toMatch(reason)
    }
  })
})

describe('a forgotten password', () => {
  it('has a page whose address is not sent as a referrer, and which is not cached', async () => {
    const page = await fetch(`${server.url}/reset/some-token`)
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  it('is set by a link that logs out whoever else is logged in with the browser: “Log in” asks for its own account', async () => {
    const invited = await makeUser(server.services, { userType: 'mailer', passwordHash: null })
    const other = await makeUser(server.services)
    const headers = { cookie: await staffCookie(server.services, other.email), origin: server.url }
    const { url = '' } = (await makePasswordLink(server.as(system), invited.id, 'invitation')) ?? {}
    const address = server.url + new URL(url).pathname
    expect(await (await fetch(address, { headers })).text()).toContain(invited.email)
    expect((await fetch(`${server.url}/dashboard`, { headers, redirect: 'manual' })).status).toBe(200)
    const body = new URLSearchParams({ password: 'kite-under-harbour', password2: 'kite-under-harbour' })
    const page = await fetch(address, { method: 'POST', headers, body })
    expect(page.headers.get('set-cookie')).toMatch(/^masthead-session=;.*Max-Age=0/)
    expect(await page.text()).toMatch(/<h1[^>]*>Your password is set<.*href="\/login"/s)
    const dashboard = await fetch(`${server.url}/dashboard`, { headers, redirect: 'manual' })
    expect([dashboard.status, dashboard.headers.get('location')]).toEqual([302, expect.stringContaining('/login')])
  })

  it('allows five attempts in an hour; after that the refusal says how long to wait', async () => {
    const email = 'often@example.test'
    for (let n = 0; n < 5; n++) expect((await post('/forgot', { email })).status).toBe(422)
    const refused = await post('/forgot', { email })
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.closeTo(3600, -2)])
    const api = await fetch(`${server.url}/api/users/forgot`, { method: 'POST', body: JSON.stringify({ email }) })
    expect([api.status, Number(api.headers.get('retry-after'))]).toEqual([429, expect.closeTo(3600, -2)])
  })
})
