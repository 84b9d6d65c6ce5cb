import { createHash } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { actorOf, makeBuyer, makePublication, operator } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { storeBuyerPassword } from '../buyers/store-buyer-password.ts'
import { addApiKey } from './add-api-key.ts'
import { authorizeApp, checkAuthorize } from './authorize.ts'
import { addPartnerApp, listPartnerApps, removePartnerApp } from './change-partner-apps.ts'
import { exchangeToken, introspectAppToken, revokeAppToken } from './exchange-app-token.ts'
import { getSigningKeys } from './get-oauth-documents.query.ts'
import { actorOfApiKey } from './partner-actor.ts'
import { rotateSigningKeys } from './rotate-signing-keys.ts'

const redirectUri = 'https://app.example.com/login?tenant=7'
const verifier = 'a-verifier-that-only-the-app-knows-0123456789'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const start = new Date('2026-11-24T10:00:00Z')

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(() => {
  services.clock.now = start
})

/** A publication with an app, a key that may look up entitlements, and a reader with a bundle who is logged in. */
async function makeFixture(record: Parameters<typeof makeReader>[2] = {}) {
  const { id: publicationId, publisherId, urlKey } = await makePublication(services)
  const owner = services.as(await actorOf(services, 'publisher', publisherId))
  const app = await addPartnerApp(owner, {
    publicationId,
    name: 'Pocket reader',
    redirectUris: `${redirectUri}\ncom.example.reader:/login`,
  })
  const { key } = await addApiKey(owner, { publicationId, name: 'Server', scopes: ['entitlement'] })
  const buyer = await makeBuyer(services, publicationId)
  const subscription = { subType: 'bundle', subStartOn: '2026-01-01', subEndOn: '2026-12-31' } as const
  const readerId = await makeReader(services, publicationId, { ...subscription, ...record, buyerId: buyer.id })
  const input = {
    client_id: [app.clientId],
    redirect_uri: [redirectUri],
    response_type: ['code'],
    code_challenge: [challenge],
    code_challenge_method: ['S256'],
    state: ['state & more'],
  }
  const visiting = services.as(visitor)
  const authorize = async (changes: Partial<typeof input> = {}) =>
    (await authorizeApp(services.as(buyer.actor), { ...input, ...changes })).returnTo
  const newCode = async () => new URL(await authorize()).searchParams.get('code') ?? ''
  const exchange = async (fields: Record<string, string>) =>
    exchangeToken(visiting, { client_id: app.clientId, ...fields })
  const byCode = (code: string, fields: Record<string, string> = {}) =>
    exchange({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, ...fields })
  const refresh = (token: string) => exchange({ grant_type: 'refresh_token', refresh_token: token })
  const introspect = async (token: string, withKey = key) =>
    introspectAppToken({ ...visiting, actor: await actorOfApiKey(services, withKey) }, { token })
  return {
    publicationId,
    urlKey,
    owner,
    app,
    buyer,
    readerId,
    request: input,
    visiting,
    authorize,
    newCode,
    byCode,
    refresh,
    introspect,
  }
}

async function logIn(fixture: Awaited<ReturnType<typeof makeFixture>>) {
  const issued = await fixture.byCode(await fixture.newCode())
  if ('error' in issued) throw new Error(issued.description)
  return issued
}
const refused = { error: 'invalid_grant' }

describe('the authorization request of an app', () => {
  it('is granted by the logged-in buyer, only at the registered address, with its state', async () => {
    const fixture = await makeFixture()
    const redirect = new URL(await fixture.authorize())
    expect(redirect.href.startsWith('https://app.example.com/login?tenant=7&code=')).toBe(true)
    expect(redirect.searchParams.get('state')).toBe('state & more')
    expect(redirect.searchParams.get('iss')).toBe(services.settings.appUrl)
    const own = new URL(await fixture.authorize({ redirect_uri: ['com.example.reader:/login'] }))
    expect(own.protocol).toBe('com.example.reader:')
  })

  it('is not redirected for an address with another letter, parameter, port or case, or given twice', async () => {
    const fixture = await makeFixture()
    const unregistered = [
      'https://app.example.com/login',
      'https://app.example.com/login?tenant=7&x=1',
      'https://app.example.com:444/login?tenant=7',
      'https://APP.example.com/login?tenant=7',
      'https://app.example.com.evil.test/login?tenant=7',
      'https://app.example.com/login?tenant=7/../x',
      '',
    ]
    for (const uri of unregistered) {
      const input = { ...fixture.request, redirect_uri: [uri] }
      expect(await checkAuthorize(fixture.visiting, input)).toMatchObject({
        isRegistered: false,
        returnTo: null,
        redirectHost: '',
      })
      await expect(fixture.authorize({ redirect_uri: [uri] })).rejects.toMatchObject({ kind: 'denied' })
    }
    const twice = { ...fixture.request, redirect_uri: [redirectUri, 'https://evil.test/'] }
    await expect(checkAuthorize(fixture.visiting, twice)).rejects.toMatchObject({ kind: 'invalid' })
    await expect(
      checkAuthorize(fixture.visiting, { ...fixture.request, client_id: ['app_nobody'] }),
    ).rejects.toMatchObject({
      kind: 'notFound',
    })
  })

  it('is answered with an error to the app: no PKCE, the plain method, another response type', async () => {
    const fixture = await makeFixture()
    const errorOf = async (changes: Partial<typeof fixture.request>) => {
      const { returnTo } = await checkAuthorize(fixture.visiting, { ...fixture.request, ...changes })
      return returnTo && new URL(returnTo).searchParams.get('error')
    }
    expect(await errorOf({})).toBeNull()
    expect(await errorOf({ code_challenge: [] })).toBe('invalid_request')
    expect(await errorOf({ code_challenge: ['short'] })).toBe('invalid_request')
    expect(await errorOf({ code_challenge_method: [] })).toBe('invalid_request')
    expect(await errorOf({ code_challenge_method: ['plain'] })).toBe('invalid_request')
    expect(await errorOf({ response_type: ['token'] })).toBe('unsupported_response_type')
  })

  it('is refused for a reader of another publication', async () => {
    const fixture = await makeFixture()
    const other = await makeFixture()
    await expect(authorizeApp(services.as(other.buyer.actor), fixture.request)).rejects.toMatchObject({
      kind: 'denied',
    })
  })
})

describe('the authorization code', () => {
  it('gives a signed token with the entitlement, and no name', async () => {
    const fixture = await makeFixture()
    const { accessToken, expiresIn } = await logIn(fixture)
    const keys = createLocalJWKSet((await getSigningKeys(fixture.visiting, {})) as JSONWebKeySet)
    const { payload, protectedHeader } = await jwtVerify(accessToken, keys, {
      issuer: services.settings.appUrl,
      audience: fixture.app.clientId,
      currentDate: start,
    })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    expect(payload).toMatchObject({
      sub: String(fixture.buyer.id),
      publication: fixture.publicationId,
      product: 'bundle',
      until: Date.UTC(2027, 0, 1) / 1000 - 1,
      exp: start.getTime() / 1000 + expiresIn,
    })
    expect(JSON.stringify(payload)).not.toMatch(/Nell|Gwynne|@/)
  })

  it('gives no product and no end for a reader without entitlement', async () => {
    const fixture = await makeFixture({ subType: 'print' })
    expect(decodeJwt((await logIn(fixture)).accessToken)).toMatchObject({ product: null, until: null })
  })

  it('is valid for a minute, for its app, its address and the holder of the verifier', async () => {
    const fixture = await makeFixture()
    const other = await makeFixture()
    const code = await fixture.newCode()
    expect(await fixture.byCode(code, { code_verifier: `${verifier}x` })).toMatchObject(refused)
    expect(await fixture.byCode(code, { redirect_uri: 'com.example.reader:/login' })).toMatchObject(refused)
    expect(await other.byCode(code)).toMatchObject(refused)
    expect(await fixture.byCode(code, { client_id: 'app_nobody' })).toMatchObject({ error: 'invalid_client' })
    expect(await fixture.byCode(code, { code_verifier: '' })).toMatchObject({ error: 'invalid_request' })
    expect(await fixture.byCode(code, { grant_type: 'password' })).toMatchObject({ error: 'unsupported_grant_type' })
    services.clock.advance({ minutes: 1 })
    expect(await fixture.byCode(code)).toMatchObject(refused)
  })

  it('works once: a replay revokes the tokens from the first use', async () => {
    const fixture = await makeFixture()
    const code = await fixture.newCode()
    const issued = await fixture.byCode(code)
    if ('error' in issued) throw new Error(issued.description)
    expect(await fixture.introspect(issued.accessToken)).toMatchObject({ isActive: true })
    expect(await fixture.byCode(code)).toMatchObject(refused)
    expect(await fixture.introspect(issued.accessToken)).toEqual({ isActive: false })
    expect(await fixture.refresh(issued.refreshToken)).toMatchObject(refused)
  })

  it('is redeemed by one of two concurrent requests', async () => {
    const fixture = await makeFixture()
    const code = await fixture.newCode()
    const both = await Promise.all([fixture.byCode(code), fixture.byCode(code)])
    expect(both.filter((response) => 'accessToken' in response)).toHaveLength(1)
  })
})

describe('a refresh token', () => {
  it('is rotated at each use, and once more within half a minute after a lost response', async () => {
    const fixture = await makeFixture()
    const { refreshToken: first } = await logIn(fixture)
    const second = await fixture.refresh(first)
    if ('error' in second) throw new Error(second.description)
    services.clock.advance({ seconds: 20 })
    const repeated = await fixture.refresh(first)
    expect(repeated).toMatchObject({ accessToken: expect.any(String) })
    // A repeat does not extend the half minute.
    services.clock.advance({ seconds: 20 })
    expect(await fixture.refresh(first)).toMatchObject(refused)
  })

  it('works for either of two tabs that both sent the previous token, whichever was answered first', async () => {
    const issuedBy = async (fixture: Awaited<ReturnType<typeof makeFixture>>, token: string) => {
      const issued = await fixture.refresh(token)
      if ('error' in issued) throw new Error(issued.description)
      return issued.refreshToken
    }
    for (const kept of ['second', 'third'] as const) {
      const fixture = await makeFixture()
      const { refreshToken: first } = await logIn(fixture)
      const tabs = { second: await issuedBy(fixture, first), third: await issuedBy(fixture, first) }
      services.clock.advance({ minutes: 20 })
      const fourth = await issuedBy(fixture, tabs[kept])
      // From the next rotation on only the new token is valid; sending the one that was not kept does not end the grant.
      services.clock.advance({ minutes: 1 })
      expect(await fixture.refresh(kept === 'second' ? tabs.third : tabs.second)).toMatchObject(refused)
      expect(await issuedBy(fixture, fourth)).toMatch(/^mr_/)
    }
  })

  it('is revoked by either tab’s token', async () => {
    const fixture = await makeFixture()
    const { refreshToken: first } = await logIn(fixture)
    const second = await fixture.refresh(first)
    const third = await fixture.refresh(first)
    if ('error' in second || 'error' in third) throw new Error('It was refused')
    await revokeAppToken(fixture.visiting, { client_id: fixture.app.clientId, token: second.refreshToken })
    expect(await fixture.refresh(third.refreshToken)).toMatchObject(refused)
  })

  it('reused after rotation ends the whole grant: somebody has a copy', async () => {
    const fixture = await makeFixture()
    const { refreshToken: first } = await logIn(fixture)
    const second = await fixture.refresh(first)
    if ('error' in second) throw new Error(second.description)
    services.clock.advance({ seconds: 31 })
    expect(await fixture.refresh(first)).toMatchObject(refused)
    expect(await fixture.refresh(second.refreshToken)).toMatchObject(refused)
  })

  it('is refused for another app, and a made-up one ends nothing', async () => {
    const fixture = await makeFixture()
    const other = await makeFixture()
    const { refreshToken } = await logIn(fixture)
    expect(await other.refresh(refreshToken)).toMatchObject(refused)
    const grant = /^mr_\d+\./.exec(refreshToken)?.[0]
    for (const madeUp of [`${grant}guess`, 'mr_x.y', 'nonsense'])
      expect(await fixture.refresh(madeUp)).toMatchObject(refused)
    expect(await fixture.refresh(refreshToken)).toMatchObject({ accessToken: expect.any(String) })
  })

  it('ends after ninety days without use, when the app logs out or is removed, and when the password changes', async () => {
    const fixture = await makeFixture()
    const unused = await logIn(fixture)
    const loggedOut = await logIn(fixture)
    await revokeAppToken(fixture.visiting, { client_id: fixture.app.clientId, token: loggedOut.refreshToken })
    expect(await fixture.refresh(loggedOut.refreshToken)).toMatchObject(refused)
    services.clock.advance({ days: 90 })
    expect(await fixture.refresh(unused.refreshToken)).toMatchObject(refused)
    const beforeChange = await logIn(fixture)
    await services.db.transaction(() =>
      storeBuyerPassword(services.as(fixture.buyer.actor), { id: fixture.buyer.id, tokenVersion: 0 }, 'another hash'),
    )
    expect(await fixture.introspect(beforeChange.accessToken)).toEqual({ isActive: false })
    expect(await fixture.refresh(beforeChange.refreshToken)).toMatchObject(refused)
    const last = await logIn(fixture)
    await removePartnerApp(fixture.owner, { appId: fixture.app.id })
    expect(await fixture.introspect(last.accessToken)).toEqual({ isActive: false })
    expect(await fixture.refresh(last.refreshToken)).toMatchObject({ error: 'invalid_client' })
    expect(await listPartnerApps(fixture.owner, { publicationId: fixture.publicationId })).toEqual([])
  })
})

describe('introspection', () => {
  it('returns the current state, only for its own publication', async () => {
    const fixture = await makeFixture()
    const other = await makeFixture()
    const { accessToken } = await logIn(fixture)
    expect(await fixture.introspect(accessToken)).toMatchObject({ isActive: true, product: 'bundle' })
    await services.db.run(`UPDATE readers SET sub_end_on = '2026-11-23' WHERE id = :id`, { id: fixture.readerId })
    expect(await fixture.introspect(accessToken)).toMatchObject({ isActive: true, product: null, until: null })
    const foreign = await actorOfApiKey(
      services,
      (await addApiKey(other.owner, { publicationId: other.publicationId, name: 'B', scopes: ['entitlement'] })).key,
    )
    expect(await introspectAppToken({ ...fixture.visiting, actor: foreign }, { token: accessToken })).toEqual({
      isActive: false,
    })
  })

  it('allows one minute of clock skew, and no more', async () => {
    const fixture = await makeFixture()
    const { accessToken, expiresIn } = await logIn(fixture)
    services.clock.advance({ seconds: expiresIn + 59 })
    expect(await fixture.introspect(accessToken)).toMatchObject({ isActive: true })
    services.clock.advance({ seconds: 2 })
    expect(await fixture.introspect(accessToken)).toEqual({ isActive: false })
  })

  it('rejects a token of an erased reader, and a forged one', async () => {
    const fixture = await makeFixture()
    const { accessToken, refreshToken } = await logIn(fixture)
    const [header, body] = accessToken.split('.')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
    const bySecret = await new SignJWT(decodeJwt(accessToken))
      .setProtectedHeader({ ...decodeProtectedHeader(accessToken), alg: 'HS256' })
      .sign(new TextEncoder().encode(services.settings.appSecret))
    for (const forged of [unsigned, bySecret, `${header}.${body}.AAAA`, 'nonsense'])
      expect(await fixture.introspect(forged)).toEqual({ isActive: false })
    await services.db.run(`DELETE FROM readers WHERE id = :id`, { id: fixture.readerId })
    await services.db.run(`DELETE FROM buyers WHERE id = :id`, { id: fixture.buyer.id })
    expect(await fixture.introspect(accessToken)).toEqual({ isActive: false })
    expect(await fixture.refresh(refreshToken)).toMatchObject(refused)
  })
})

describe('the signing keys', () => {
  it('have a successor that is published a day before it signs, and stay until their tokens have expired', async () => {
    const fixture = await makeFixture()
    await services.db.run(`DELETE FROM signing_keys`)
    const kids = async () => (await getSigningKeys(fixture.visiting, {})).keys.map(({ kid }) => kid)
    const signedBy = async () => decodeProtectedHeader((await logIn(fixture)).accessToken).kid
    const [first] = await kids()
    expect(await kids()).toEqual([first])
    services.clock.advance({ days: 91 })
    const [second, ...rest] = await kids()
    expect([second === first, rest]).toEqual([false, [first]])
    expect(await signedBy()).toBe(first)
    services.clock.advance({ days: 1 })
    expect(await signedBy()).toBe(second)
    expect(await kids()).toEqual([second, first])
    services.clock.advance({ minutes: 60 })
    expect(await kids()).toEqual([second])
  })

  it('are replaced at once after a leak: old tokens are refused, and the app continues with its refresh token', async () => {
    const fixture = await makeFixture()
    const { accessToken: leaked, refreshToken } = await logIn(fixture)
    expect(await fixture.introspect(leaked)).toMatchObject({ isActive: true })
    const { kid } = await rotateSigningKeys(services.as(operator), { now: true })
    const { keys } = await getSigningKeys(fixture.visiting, {})
    expect(keys.map((key) => key.kid)).toEqual([kid])
    expect(await fixture.introspect(leaked)).toEqual({ isActive: false })
    const next = await fixture.refresh(refreshToken)
    if ('error' in next) throw new Error(next.description)
    expect(decodeProtectedHeader(next.accessToken).kid).toBe(kid)
    expect(await fixture.introspect(next.accessToken)).toMatchObject({ isActive: true })
  })

  it('are replaced within a day otherwise, and issued tokens stay valid', async () => {
    const fixture = await makeFixture()
    await services.db.run(`DELETE FROM signing_keys`)
    const { accessToken } = await logIn(fixture)
    const { kid } = await rotateSigningKeys(services.as(operator), { now: false })
    expect((await getSigningKeys(fixture.visiting, {})).keys.map((key) => key.kid)).toContain(kid)
    expect(decodeProtectedHeader((await logIn(fixture)).accessToken).kid).not.toBe(kid)
    await expect(rotateSigningKeys(services.as(operator), { now: false })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await fixture.introspect(accessToken)).toMatchObject({ isActive: true })
    services.clock.advance({ days: 1 })
    expect(decodeProtectedHeader((await logIn(fixture)).accessToken).kid).toBe(kid)
  })

  it('expose no private key, in the list or in the database', async () => {
    const fixture = await makeFixture()
    expect(JSON.stringify(await getSigningKeys(fixture.visiting, {}))).not.toMatch(/"d":/)
    const rows = await services.db.query(`SELECT * FROM signing_keys`)
    expect(JSON.stringify(rows)).not.toMatch(/\\?"d\\?":/)
  })

  it('are created again when they were encrypted under another secret', async () => {
    const fixture = await makeFixture()
    await logIn(fixture)
    await services.db.run(`UPDATE signing_keys SET private_sealed = 'v1.a.b.c'`)
    expect(await logIn(fixture)).toMatchObject({ accessToken: expect.any(String) })
  })
})
