import { createHash } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { actorOf, makeBuyer, makePublication, operator } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { storeBuyerPassword } from '../buyers/store-buyer-password.ts'
import { addApiKey } from './add-api-key.ts'
import { exchangeToken, introspectAppToken, revokeAppToken } from './app-tokens.ts'
import { authorizeApp, checkAuthorize } from './authorize.ts'
import { addPartnerApp, listPartnerApps, removePartnerApp } from './change-partner-apps.ts'
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

const pass = (ms: number) => {
  services.clock.now = new Date(services.clock.now.getTime() + ms)
}
const minute = 60_000
const day = 24 * 60 * minute

/** A publication with an app, a key that may look up, and a reader with a bundle who is logged in. */
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
    ...{ publicationId, urlKey, owner, app, buyer, readerId, request: input, visiting },
    authorize,
    newCode,
    byCode,
    refresh,
    introspect,
  }
}

async function logIn(w: Awaited<ReturnType<typeof makeFixture>>) {
  const issued = await w.byCode(await w.newCode())
  if ('error' in issued) throw new Error(issued.description)
  return issued
}
const refused = { error: 'invalid_grant' }

describe('the authorization request of an app', () => {
  it('is granted by the logged-in buyer, only at the registered address, with its state', async () => {
    const w = await makeFixture()
    const redirect = new URL(await w.authorize())
    expect(redirect.href.startsWith('https://app.example.com/login?tenant=7&code=')).toBe(true)
    expect(redirect.searchParams.get('state')).toBe('state & more')
    expect(redirect.searchParams.get('iss')).toBe(services.settings.appUrl)
    const own = new URL(await w.authorize({ redirect_uri: ['com.example.reader:/login'] }))
    expect(own.protocol).toBe('com.example.reader:')
  })

  it('is not redirected for an address with another letter, parameter, port or case, or given twice', async () => {
    const w = await makeFixture()
    const others = [
      'https://app.example.com/login',
      'https://app.example.com/login?tenant=7&x=1',
      'https://app.example.com:444/login?tenant=7',
      'https://APP.example.com/login?tenant=7',
      'https://app.example.com.evil.test/login?tenant=7',
      'https://app.example.com/login?tenant=7/../x',
      '',
    ]
    for (const other of others) {
      const input = { ...w.request, redirect_uri: [other] }
      expect(await checkAuthorize(w.visiting, input)).toMatchObject({ isRegistered: false, returnTo: null, place: '' })
      await expect(w.authorize({ redirect_uri: [other] })).rejects.toMatchObject({ kind: 'denied' })
    }
    const twice = { ...w.request, redirect_uri: [redirectUri, 'https://evil.test/'] }
    await expect(checkAuthorize(w.visiting, twice)).rejects.toMatchObject({ kind: 'invalid' })
    await expect(checkAuthorize(w.visiting, { ...w.request, client_id: ['app_nobody'] })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })

  it('is answered with an error to the app: no PKCE, the plain method, another response type', async () => {
    const w = await makeFixture()
    const errorOf = async (changes: Partial<typeof w.request>) => {
      const { returnTo } = await checkAuthorize(w.visiting, { ...w.request, ...changes })
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
    const [w, other] = [await makeFixture(), await makeFixture()]
    await expect(authorizeApp(services.as(other.buyer.actor), w.request)).rejects.toMatchObject({ kind: 'denied' })
  })
})

describe('the authorization code', () => {
  it('gives a signed token with the entitlement, and no name', async () => {
    const w = await makeFixture()
    const { accessToken, expiresIn } = await logIn(w)
    const keys = createLocalJWKSet((await getSigningKeys(w.visiting, {})) as JSONWebKeySet)
    const { payload, protectedHeader } = await jwtVerify(accessToken, keys, {
      issuer: services.settings.appUrl,
      audience: w.app.clientId,
      currentDate: start,
    })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    expect(payload).toMatchObject({
      sub: String(w.buyer.id),
      publication: w.publicationId,
      product: 'bundle',
      until: Date.UTC(2027, 0, 1) / 1000 - 1,
      exp: start.getTime() / 1000 + expiresIn,
    })
    expect(JSON.stringify(payload)).not.toMatch(/Nell|Gwynne|@/)
  })

  it('gives no product and no end for a reader without entitlement', async () => {
    const w = await makeFixture({ subType: 'print' })
    expect(decodeJwt((await logIn(w)).accessToken)).toMatchObject({ product: null, until: null })
  })

  it('is valid for a minute, for its app, its address and the holder of the verifier', async () => {
    const [w, other] = [await makeFixture(), await makeFixture()]
    const code = await w.newCode()
    expect(await w.byCode(code, { code_verifier: `${verifier}x` })).toMatchObject(refused)
    expect(await w.byCode(code, { redirect_uri: 'com.example.reader:/login' })).toMatchObject(refused)
    expect(await other.byCode(code)).toMatchObject(refused)
    expect(await w.byCode(code, { client_id: 'app_nobody' })).toMatchObject({ error: 'invalid_client' })
    expect(await w.byCode(code, { code_verifier: '' })).toMatchObject({ error: 'invalid_request' })
    expect(await w.byCode(code, { grant_type: 'password' })).toMatchObject({ error: 'unsupported_grant_type' })
    pass(minute)
    expect(await w.byCode(code)).toMatchObject(refused)
  })

  it('works once: a replay revokes the tokens from the first use', async () => {
    const w = await makeFixture()
    const code = await w.newCode()
    const issued = await w.byCode(code)
    if ('error' in issued) throw new Error(issued.description)
    expect(await w.introspect(issued.accessToken)).toMatchObject({ isActive: true })
    expect(await w.byCode(code)).toMatchObject(refused)
    expect(await w.introspect(issued.accessToken)).toEqual({ isActive: false })
    expect(await w.refresh(issued.refreshToken)).toMatchObject(refused)
  })

  it('is redeemed by one of two concurrent requests', async () => {
    const w = await makeFixture()
    const code = await w.newCode()
    const both = await Promise.all([w.byCode(code), w.byCode(code)])
    expect(both.filter((one) => 'accessToken' in one)).toHaveLength(1)
  })
})

describe('a refresh token', () => {
  it('is rotated at each use, and once more within half a minute after a lost response', async () => {
    const w = await makeFixture()
    const { refreshToken: first } = await logIn(w)
    const second = await w.refresh(first)
    if ('error' in second) throw new Error(second.description)
    pass(20_000)
    const repeated = await w.refresh(first)
    expect(repeated).toMatchObject({ accessToken: expect.any(String) })
    // A repeat does not extend the half minute.
    pass(20_000)
    expect(await w.refresh(first)).toMatchObject(refused)
  })

  it('works for whichever of two tabs was answered first, when both send the previous one', async () => {
    const issuedBy = async (w: Awaited<ReturnType<typeof makeFixture>>, token: string) => {
      const issued = await w.refresh(token)
      if ('error' in issued) throw new Error(issued.description)
      return issued.refreshToken
    }
    for (const kept of ['second', 'third'] as const) {
      const w = await makeFixture()
      const { refreshToken: first } = await logIn(w)
      const tabs = { second: await issuedBy(w, first), third: await issuedBy(w, first) }
      pass(20 * minute)
      const fourth = await issuedBy(w, tabs[kept])
      // From the next rotation on only its token is valid; the one that neither tab kept ends nothing.
      pass(minute)
      expect(await w.refresh(kept === 'second' ? tabs.third : tabs.second)).toMatchObject(refused)
      expect(await issuedBy(w, fourth)).toMatch(/^mr_/)
    }
  })

  it('is revoked by either tab’s token', async () => {
    const w = await makeFixture()
    const { refreshToken: first } = await logIn(w)
    const [second, third] = [await w.refresh(first), await w.refresh(first)]
    if ('error' in second || 'error' in third) throw new Error('It was refused')
    await revokeAppToken(w.visiting, { client_id: w.app.clientId, token: second.refreshToken })
    expect(await w.refresh(third.refreshToken)).toMatchObject(refused)
  })

  it('reused after rotation ends the whole grant: somebody has a copy', async () => {
    const w = await makeFixture()
    const { refreshToken: first } = await logIn(w)
    const second = await w.refresh(first)
    if ('error' in second) throw new Error(second.description)
    pass(31_000)
    expect(await w.refresh(first)).toMatchObject(refused)
    expect(await w.refresh(second.refreshToken)).toMatchObject(refused)
  })

  it('is refused for another app, and a made-up one ends nothing', async () => {
    const [w, other] = [await makeFixture(), await makeFixture()]
    const { refreshToken } = await logIn(w)
    expect(await other.refresh(refreshToken)).toMatchObject(refused)
    const grant = /^mr_\d+\./.exec(refreshToken)?.[0]
    for (const madeUp of [`${grant}guess`, 'mr_x.y', 'nonsense']) expect(await w.refresh(madeUp)).toMatchObject(refused)
    expect(await w.refresh(refreshToken)).toMatchObject({ accessToken: expect.any(String) })
  })

  it('ends after ninety days without use, when the app logs out or is removed, and when the password changes', async () => {
    const w = await makeFixture()
    const unused = await logIn(w)
    const loggedOut = await logIn(w)
    await revokeAppToken(w.visiting, { client_id: w.app.clientId, token: loggedOut.refreshToken })
    expect(await w.refresh(loggedOut.refreshToken)).toMatchObject(refused)
    pass(90 * day)
    expect(await w.refresh(unused.refreshToken)).toMatchObject(refused)
    const beforeChange = await logIn(w)
    await services.db.transaction(() =>
      storeBuyerPassword(services.as(w.buyer.actor), { id: w.buyer.id, tokenVersion: 0 }, 'another hash'),
    )
    expect(await w.introspect(beforeChange.accessToken)).toEqual({ isActive: false })
    expect(await w.refresh(beforeChange.refreshToken)).toMatchObject(refused)
    const last = await logIn(w)
    await removePartnerApp(w.owner, { appId: w.app.id })
    expect(await w.introspect(last.accessToken)).toEqual({ isActive: false })
    expect(await w.refresh(last.refreshToken)).toMatchObject({ error: 'invalid_client' })
    expect(await listPartnerApps(w.owner, { publicationId: w.publicationId })).toEqual([])
  })
})

describe('introspection', () => {
  it('returns the current state, only for its own publication', async () => {
    const [w, other] = [await makeFixture(), await makeFixture()]
    const { accessToken } = await logIn(w)
    expect(await w.introspect(accessToken)).toMatchObject({ isActive: true, product: 'bundle' })
    await services.db.run(`UPDATE readers SET sub_end_on = '2026-11-23' WHERE id = :id`, { id: w.readerId })
    expect(await w.introspect(accessToken)).toMatchObject({ isActive: true, product: null, until: null })
    const foreign = await actorOfApiKey(
      services,
      (await addApiKey(other.owner, { publicationId: other.publicationId, name: 'B', scopes: ['entitlement'] })).key,
    )
    expect(await introspectAppToken({ ...w.visiting, actor: foreign }, { token: accessToken })).toEqual({
      isActive: false,
    })
  })

  it('allows one minute of clock skew, and no more', async () => {
    const w = await makeFixture()
    const { accessToken, expiresIn } = await logIn(w)
    pass(expiresIn * 1000 + 59_000)
    expect(await w.introspect(accessToken)).toMatchObject({ isActive: true })
    pass(2_000)
    expect(await w.introspect(accessToken)).toEqual({ isActive: false })
  })

  it('rejects a token of an erased reader, and a forged one', async () => {
    const w = await makeFixture()
    const { accessToken, refreshToken } = await logIn(w)
    const [head, body] = accessToken.split('.')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
    const bySecret = await new SignJWT(decodeJwt(accessToken))
      .setProtectedHeader({ ...decodeProtectedHeader(accessToken), alg: 'HS256' })
      .sign(new TextEncoder().encode(services.settings.appSecret))
    for (const forged of [unsigned, bySecret, `${head}.${body}.AAAA`, 'nonsense'])
      expect(await w.introspect(forged)).toEqual({ isActive: false })
    await services.db.run(`DELETE FROM readers WHERE id = :id`, { id: w.readerId })
    await services.db.run(`DELETE FROM buyers WHERE id = :id`, { id: w.buyer.id })
    expect(await w.introspect(accessToken)).toEqual({ isActive: false })
    expect(await w.refresh(refreshToken)).toMatchObject(refused)
  })
})

describe('the signing keys', () => {
  it('have a successor that is published a day before it signs, and stay until their tokens have expired', async () => {
    const w = await makeFixture()
    await services.db.run(`DELETE FROM signing_keys`)
    const kids = async () => (await getSigningKeys(w.visiting, {})).keys.map(({ kid }) => kid)
    const signedBy = async () => decodeProtectedHeader((await logIn(w)).accessToken).kid
    const [first] = await kids()
    expect(await kids()).toEqual([first])
    pass(91 * day)
    const [second, ...rest] = await kids()
    expect([second === first, rest]).toEqual([false, [first]])
    expect(await signedBy()).toBe(first)
    pass(day)
    expect(await signedBy()).toBe(second)
    expect(await kids()).toEqual([second, first])
    pass(60 * minute)
    expect(await kids()).toEqual([second])
  })

  it('are replaced at once after a leak: old tokens are refused, and the app continues with its refresh token', async () => {
    const w = await makeFixture()
    const { accessToken: leaked, refreshToken } = await logIn(w)
    expect(await w.introspect(leaked)).toMatchObject({ isActive: true })
    const { kid } = await rotateSigningKeys(services.as(operator), { now: true })
    const { keys } = await getSigningKeys(w.visiting, {})
    expect(keys.map((key) => key.kid)).toEqual([kid])
    expect(await w.introspect(leaked)).toEqual({ isActive: false })
    const next = await w.refresh(refreshToken)
    if ('error' in next) throw new Error(next.description)
    expect(decodeProtectedHeader(next.accessToken).kid).toBe(kid)
    expect(await w.introspect(next.accessToken)).toMatchObject({ isActive: true })
  })

  it('are replaced within a day otherwise, and issued tokens stay valid', async () => {
    const w = await makeFixture()
    await services.db.run(`DELETE FROM signing_keys`)
    const { accessToken } = await logIn(w)
    const { kid } = await rotateSigningKeys(services.as(operator), { now: false })
    expect((await getSigningKeys(w.visiting, {})).keys.map((key) => key.kid)).toContain(kid)
    expect(decodeProtectedHeader((await logIn(w)).accessToken).kid).not.toBe(kid)
    await expect(rotateSigningKeys(services.as(operator), { now: false })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await w.introspect(accessToken)).toMatchObject({ isActive: true })
    pass(day)
    expect(decodeProtectedHeader((await logIn(w)).accessToken).kid).toBe(kid)
  })

  it('expose no private key, in the list or in the database', async () => {
    const w = await makeFixture()
    expect(JSON.stringify(await getSigningKeys(w.visiting, {}))).not.toMatch(/"d":/)
    const rows = await services.db.query(`SELECT * FROM signing_keys`)
    expect(JSON.stringify(rows)).not.toMatch(/\\?"d\\?":/)
  })

  it('are created again when they were encrypted under another secret', async () => {
    const w = await makeFixture()
    await logIn(w)
    await services.db.run(`UPDATE signing_keys SET private_sealed = 'v1.a.b.c'`)
    expect(await logIn(w)).toMatchObject({ accessToken: expect.any(String) })
  })
})
