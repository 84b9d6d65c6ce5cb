import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { issueApiToken } from '#core/users/api-token.ts'
import { Users } from '#core/users/users.rows.ts'
import { makeUser } from '#tests/support/factories.ts'
import { type ApiFixture, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

interface Claims {
  secret?: string
  audience?: string
  issuer?: string
  version?: number
  userType?: string
  subject?: string
  ageSeconds?: number
  livesSeconds?: number | null
}

/** A token that is valid except for the given claims. */
function forge(claims: Claims = {}): Promise<string> {
  const issuedAt = Math.floor(fixture.services.clock.now.getTime() / 1000) - (claims.ageSeconds ?? 0)
  const token = new SignJWT({ userType: claims.userType ?? 'publisher', version: claims.version ?? 0 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(claims.subject ?? String(fixture.mine.publisherId))
    .setIssuer(claims.issuer ?? 'masthead')
    .setAudience(claims.audience ?? 'masthead:staff')
    .setIssuedAt(issuedAt)
  if (claims.livesSeconds !== null) token.setExpirationTime(issuedAt + (claims.livesSeconds ?? 3600))
  return token.sign(new TextEncoder().encode(claims.secret ?? fixture.services.settings.appSecret))
}

const status = async (token: string, headers: Record<string, string> = {}) => {
  const response = await callApi(fixture, 'GET', `/order/order/${fixture.mine.orderId}`, { token, headers })
  await response.arrayBuffer()
  return response.status
}

describe('a token', () => {
  it('is accepted bare and with Bearer, in upper or lower case', async () => {
    const token = await forge()
    expect(await status(token)).toBe(200)
    expect(await status('', { authorization: token })).toBe(200)
    expect(await status('', { authorization: `bearer ${token}` })).toBe(200)
  })

  it('is refused with a foreign key, audience or issuer, a raised version, another role or an unknown user', async () => {
    const forged: Claims[] = [
      { secret: 'another-secret-another-secret-another' },
      { audience: 'masthead:buyer' },
      { issuer: 'elsewhere' },
      { version: 1 },
      { userType: 'superuser' },
      { subject: '999999' },
      { subject: 'publisher' },
    ]
    for (const claims of forged) expect([claims, await status(await forge(claims))]).toEqual([claims, 401])
  })

  it('is refused when it is expired, older than allowed or invalid', async () => {
    expect(await status(await forge({ ageSeconds: 7200 }))).toBe(401)
    expect(await status(await forge({ ageSeconds: 9 * 3600, livesSeconds: 365 * 86_400 }))).toBe(401)
    for (const rubbish of ['rubbish', 'a.b.c', '..', `Bearer ${'x'.repeat(2000)}`])
      expect(await status(rubbish)).toBe(401)
  })

  it('is refused when it is unsigned, or signed with another algorithm', async () => {
    const [, payload] = (await forge()).split('.')
    const header = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url')
    expect(await status(`${header('none')}.${payload}.`)).toBe(401)
    expect(await status(`${header('HS384')}.${payload}.AAAA`)).toBe(401)
    const signedWithHs512 = await new SignJWT({ userType: 'publisher', version: 0 })
      .setProtectedHeader({ alg: 'HS512' })
      .setSubject(String(fixture.mine.publisherId))
      .setIssuer('masthead')
      .setAudience('masthead:staff')
      .setIssuedAt(Math.floor(fixture.services.clock.now.getTime() / 1000))
      .sign(new TextEncoder().encode(fixture.services.settings.appSecret))
    expect(await status(signedWithHs512)).toBe(401)
  })

  it('is refused once its user is deactivated', async () => {
    const user = await makeUser(fixture.services, {
      userType: 'pubadmin',
      email: 'leaver@mackerel.test',
      parentPublisherId: fixture.mine.publisherId,
    })
    const { token } = await issueApiToken(fixture.services.as(visitor), { email: user.email, password: 'masthead' })
    expect(await status(token)).toBe(200)
    await fixture.services.db.transaction(() => Users.update(fixture.services, { id: user.id }, { isActive: false }))
    expect(await status(token)).toBe(401)
  })

  it('is not accepted as a cookie, so that no other site can make calls in a visitor’s name', async () => {
    const token = fixture.tokens.publisher
    const response = await callApi(fixture, 'GET', `/order/order/${fixture.mine.orderId}`, {
      headers: { cookie: `session=${token}; token=${token}; Authorization=${token}` },
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('is refused when it is invalid, even by a call that needs none', async () => {
    const response = await callApi(fixture, 'GET', `/publication/getpublicationbyurl/${fixture.mine.urlKey}`, {
      token: 'rubbish',
    })
    expect(response.status).toBe(401)
  })
})
