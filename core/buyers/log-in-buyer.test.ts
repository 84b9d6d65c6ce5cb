import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { actorOfToken } from '#core/users/api-token.ts'
import { readSession } from '#core/users/sessions.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makeBuyer, makePublication, makeUser } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { buyerProfile } from './buyer-profile.query.ts'
import { readBuyerSession } from './buyer-session.ts'
import { actorOfBuyerToken } from './buyer-token.ts'
import { changeBuyerPassword } from './change-buyer-password.ts'
import { checkBuyerEmail } from './check-buyer-email.ts'
import { issueBuyerToken } from './issue-buyer-token.ts'
import { logInBuyer } from './log-in-buyer.ts'
import { logOutBuyer } from './log-out-buyer.ts'
import { requestBuyerReset } from './request-buyer-reset.ts'

let services: TestServices
let publicationId: number
let urlKey: string
beforeAll(async () => {
  services = await openTestServices()
  const publication = await makePublication(services)
  publicationId = publication.id
  urlKey = publication.urlKey
})

const asVisitor = () => services.as(visitor)
const sessionOf = async (email: string, password = 'masthead') =>
  (await logInBuyer(asVisitor(), { publicationId, email, password })).sessionToken
const tokenOf = async (email: string, password = 'masthead') =>
  (await issueBuyerToken(asVisitor(), { publicationId, email, password })).token
const actorOfSession = (token: string, visitedId = publicationId) =>
  readBuyerSession(services, { token, publicationId: visitedId })

describe('a buyer logs in', () => {
  it('by handle or id, whatever the case of the email, and is recognised by the cookie only at that publication', async () => {
    const buyer = await makeBuyer(services, publicationId, { email: 'Ann@Example.test' })
    const otherPublication = await makePublication(services)
    await makeBuyer(services, otherPublication.id, { email: 'ann@example.test' })
    const opened = await logInBuyer(asVisitor(), {
      urlKey: urlKey.toUpperCase(),
      email: 'ann@example.TEST',
      password: 'masthead',
    })
    expect(opened.publicationId).toBe(publicationId)
    expect(await actorOfSession(opened.sessionToken)).toEqual(buyer.actor)
    expect(await actorOfSession(opened.sessionToken, otherPublication.id)).toBeNull()
    expect(await actorOfSession('rubbish')).toBeNull()
    expect(await readSession(services, opened.sessionToken)).toEqual({ ended: 'unknown' })
  })

  it('but gets the same answer for an unknown email, a wrong password and an account of another publication', async () => {
    await makeBuyer(services, publicationId, { email: 'known@example.test' })
    await makeBuyer(services, (await makePublication(services)).id, { email: 'theirs@example.test' })
    const tries = [
      ['unknown@example.test', 'masthead'],
      ['known@example.test', 'wrong'],
      ['theirs@example.test', 'masthead'],
    ] as const
    for (const [email, password] of tries) {
      await expect(sessionOf(email, password)).rejects.toMatchObject({
        kind: 'invalid',
        fields: { password: 'The email or the password is wrong' },
      })
    }
  })

  it('but is told of everything that a program left out', async () => {
    await expect(issueBuyerToken(asVisitor(), {})).rejects.toMatchObject({
      fields: { publicationId: 'Required', email: 'Required', password: 'Required' },
    })
    await expect(requestBuyerReset(asVisitor(), {})).rejects.toMatchObject({
      fields: { publicationId: 'Required', email: expect.any(String) },
    })
  })

  it('but not for a while after ten wrong passwords: neither on the page nor for a token, even with the right password', async () => {
    const { email } = await makeBuyer(services, publicationId)
    for (let n = 0; n < 10; n++) await expect(sessionOf(email, `no${n}`)).rejects.toMatchObject({ kind: 'invalid' })
    await expect(sessionOf(email)).rejects.toMatchObject({ kind: 'tooMany' })
    await expect(tokenOf(email)).rejects.toMatchObject({ kind: 'tooMany' })
    await services.clock.runAhead({ minutes: 16 }, async () =>
      expect(await actorOfSession(await sessionOf(email))).not.toBeNull(),
    )
  })

  it('with the right password without limit', async () => {
    const { email } = await makeBuyer(services, publicationId)
    for (let n = 0; n < 12; n++) await sessionOf(email)
  })

  it('but is refused when the publication is removed or its publisher deactivated, and is logged out there at once', async () => {
    const publisher = await makeUser(services)
    const shop = await makePublication(services, { publisherId: publisher.id })
    const { email } = await makeBuyer(services, shop.id)
    const credentials = { publicationId: shop.id, email, password: 'masthead' }
    const { sessionToken } = await logInBuyer(asVisitor(), credentials)
    const { token } = await issueBuyerToken(asVisitor(), credentials)
    await services.db.run(`UPDATE users SET is_active = :no WHERE id = :id`, { no: false, id: publisher.id })
    await expect(logInBuyer(asVisitor(), credentials)).rejects.toMatchObject({ kind: 'gone' })
    expect(await actorOfSession(sessionToken, shop.id)).toBeNull()
    await expect(actorOfBuyerToken(services, token)).rejects.toMatchObject({ kind: 'unauthenticated' })
    await services.db.run(`UPDATE publications SET removed_at = :now WHERE id = :id`, {
      now: services.now(),
      id: shop.id,
    })
    await expect(logInBuyer(asVisitor(), credentials)).rejects.toMatchObject({ kind: 'notFound' })
    await expect(logInBuyer(asVisitor(), { email, password: 'masthead' })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('a reader’s session', () => {
  it('ends by logging out, on the server too', async () => {
    const { email, actor } = await makeBuyer(services, publicationId)
    const thisSession = await sessionOf(email)
    const otherSession = await sessionOf(email)
    await logOutBuyer(services.as(actor), { sessionToken: thisSession })
    expect([await actorOfSession(thisSession), await actorOfSession(otherSession)]).toEqual([null, actor])
  })

  it('ends after three days without a visit and after thirty days in any case', async () => {
    const { email } = await makeBuyer(services, publicationId)
    const token = await sessionOf(email)
    await services.clock.runAhead({ hours: 71 }, async () => expect(await actorOfSession(token)).not.toBeNull())
    await services.clock.runAhead({ hours: 71 + 73 }, async () => expect(await actorOfSession(token)).toBeNull())
    const usedDaily = await sessionOf(email)
    for (let day = 1; day < 30; day++)
      await services.clock.runAhead({ days: day }, async () => expect(await actorOfSession(usedDaily)).not.toBeNull())
    await services.clock.runAhead({ days: 30 }, async () => expect(await actorOfSession(usedDaily)).toBeNull())
  })

  it('and every token end with a password change, except the session that changed it', async () => {
    const { email, actor } = await makeBuyer(services, publicationId)
    const thisSession = await sessionOf(email)
    const otherSession = await sessionOf(email)
    const token = await tokenOf(email)
    const change = { currentPassword: 'masthead', password: 'kite-under-harbour', password2: 'kite-under-harbour' }
    expect(await changeBuyerPassword(services.as(actor), { ...change, sessionToken: thisSession })).toEqual({
      endedSessions: 1,
    })
    expect([await actorOfSession(thisSession), await actorOfSession(otherSession)]).toEqual([actor, null])
    await expect(actorOfBuyerToken(services, token)).rejects.toMatchObject({ kind: 'unauthenticated' })
    await expect(sessionOf(email)).rejects.toMatchObject({ kind: 'invalid' })
    expect(await actorOfSession(await sessionOf(email, 'kite-under-harbour'))).toEqual(actor)
    expect((await queuedEmails(services, 'buyer-notice')).at(-1)?.about).toMatchObject({ kind: 'password-changed' })
  })

  it('can change the password only with the current one, and not to a common or mistyped one', async () => {
    const ctx = services.as((await makeBuyer(services, publicationId)).actor)
    const validChange = { currentPassword: 'masthead', password: 'kite-under-harbour', password2: 'kite-under-harbour' }
    const refusals: [object, string][] = [
      [{ ...validChange, currentPassword: 'wrong' }, 'currentPassword'],
      [{ ...validChange, currentPassword: '' }, 'currentPassword'],
      [{ ...validChange, password: 'password1', password2: 'password1' }, 'password'],
      [{ ...validChange, password: 'short', password2: 'short' }, 'password'],
      [{ ...validChange, password2: 'kite-under-harbor' }, 'password2'],
      [{ ...validChange, password: 'masthead', password2: 'masthead' }, 'password'],
    ]
    for (const [sent, field] of refusals) {
      await expect(changeBuyerPassword(ctx, sent)).rejects.toMatchObject({
        kind: 'invalid',
        fields: { [field]: expect.any(String) },
      })
    }
  })
})

describe('a reader’s token', () => {
  it('is refused as a staff token, and a staff token as a reader’s', async () => {
    const { email, actor } = await makeBuyer(services, publicationId)
    const token = await tokenOf(email)
    expect(await actorOfBuyerToken(services, token)).toEqual(actor)
    await expect(actorOfToken(services, token)).rejects.toMatchObject({ kind: 'unauthenticated' })
    await services.clock.runAhead({ hours: 9 }, () =>
      expect(actorOfBuyerToken(services, token)).rejects.toMatchObject({ kind: 'unauthenticated' }),
    )
  })

  it('gives access to use cases for readers, which nobody else may call', async () => {
    const { actor, email } = await makeBuyer(services, publicationId)
    expect(await buyerProfile(services.as(actor), {})).toMatchObject({ email, subscriptions: [], lastOrder: null })
    await expect(buyerProfile(asVisitor(), {})).rejects.toMatchObject({ kind: 'unauthenticated' })
    for (const otherActor of [
      await actorOf(services, 'publisher'),
      { kind: 'operator' },
      { kind: 'system' },
    ] as const) {
      await expect(buyerProfile(services.as(otherActor), {})).rejects.toMatchObject({ kind: 'denied' })
    }
    // The id of a buyer with the publication of another: no valid buyer.
    const otherPublication = await makePublication(services)
    const mixed = { ...actor, publicationId: otherPublication.id }
    await expect(buyerProfile(services.as(mixed), {})).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})

describe('checking whether an email is free', () => {
  it('is answered for one publication, thirty times in a quarter of an hour from one address', async () => {
    const { email } = await makeBuyer(services, publicationId)
    const otherPublication = await makePublication(services)
    const ctx = { ...asVisitor(), origin: { entryPoint: 'test' as const, address: '203.0.113.9' } }
    await checkBuyerEmail(ctx, { publicationId: otherPublication.id, email })
    const taken = { kind: 'conflict', fields: { email: expect.stringContaining('Log in under Returning Customers') } }
    await expect(checkBuyerEmail(ctx, { publicationId, email: email.toUpperCase() })).rejects.toMatchObject(taken)
    for (let n = 0; n < 28; n++) await checkBuyerEmail(ctx, { publicationId, email: `free${n}@example.test` })
    await expect(checkBuyerEmail(ctx, { publicationId, email })).rejects.toMatchObject({ kind: 'tooMany' })
  })
})

it('right passwords do not count against the limit of a network address, which many readers may share', async () => {
  const { email } = await makeBuyer(services, publicationId)
  const ctx = { ...asVisitor(), origin: { ...asVisitor().origin, address: '192.0.2.50' } }
  const attempt = () => logInBuyer(ctx, { publicationId, email, password: 'masthead' })
  await attempt()
  const key = { key: 'buyer-login-from:192.0.2.50' }
  expect(await services.db.run(`UPDATE rate_limits SET hits = 49 WHERE limit_key = :key`, key)).toBe(1)
  for (let n = 0; n < 3; n++) expect(await attempt()).toBeDefined()
  await services.db.run(`UPDATE rate_limits SET hits = 50 WHERE limit_key = :key`, key)
  await expect(attempt()).rejects.toMatchObject({ kind: 'tooMany' })
})
