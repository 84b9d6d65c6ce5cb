import { generateSync } from 'otplib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { makeUser, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { actorOfToken, issueApiToken } from './api-token.ts'
import { changePassword } from './change-password.ts'
import { completeLogIn } from './complete-log-in.ts'
import { getTwoStep } from './get-two-step.query.ts'
import { logIn } from './log-in.ts'
import { makeRecoveryCodes } from './make-recovery-codes.ts'
import { resetTwoStep } from './reset-two-step.ts'
import { readSession } from './sessions.ts'
import { staffActor } from './staff-actor.ts'
import { startTwoStep } from './start-two-step.ts'
import { turnOffTwoStep } from './turn-off-two-step.ts'
import { turnOnTwoStep } from './turn-on-two-step.ts'
import { type UserRow, Users } from './users.rows.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(() => services.db.run(`DELETE FROM rate_limits`))

const currentPassword = 'masthead'
const asUser = (user: UserRow) => services.as(staffActor(user))
const asVisitor = () => services.as(visitor)

/** The code that the app shows a number of seconds from now. */
const codeOf = (secret: string, seconds = 0) =>
  generateSync({ secret, epoch: Math.floor(services.clock.now.getTime() / 1000) + seconds })

/** A user with two-step log-in, the secret in the app, and the recovery codes. */
async function protectedUser(fields: Partial<UserRow> = {}) {
  const user = await makeUser(services, fields)
  const { typed } = await startTwoStep(asUser(user), { currentPassword })
  const secret = typed.replaceAll(' ', '')
  const { recoveryCodes } = await turnOnTwoStep(asUser(user), { code: codeOf(secret) })
  // The code that turned it on counts as used.
  services.clock.advance({ minutes: 1 })
  return { user, secret, recoveryCodes }
}

async function sessionOf(user: UserRow): Promise<string> {
  const result = await logIn(asVisitor(), { email: user.email, password: 'masthead' })
  if (result.needsCode) throw new Error('needs a code')
  return result.sessionToken
}

async function ticketOf(user: UserRow): Promise<string> {
  const loginPage = user.userType === 'superuser' ? 'super' : 'staff'
  const result = await logIn(asVisitor(), { email: user.email, password: 'masthead', loginPage })
  if (!result.needsCode) throw new Error('needs no code')
  return result.ticket
}

const refusedCode = (message: RegExp) => ({ kind: 'invalid', fields: { code: expect.stringMatching(message) } })

async function auditOf(user: UserRow): Promise<string[]> {
  const rows = await services.db.query<{ action: string }>(
    `SELECT action FROM audit_log WHERE subject_type = 'user' AND subject_id = :id ORDER BY id`,
    { id: user.id },
  )
  return rows.map(({ action }) => action)
}

describe('setting up two-step log-in', () => {
  it('requires the password, then a first code, and ends the sessions without it', async () => {
    const user = await makeUser(services)
    const mine = await sessionOf(user)
    const other = await sessionOf(user)
    await expect(startTwoStep(asUser(user), {})).rejects.toMatchObject({
      fields: { currentPassword: 'Enter your current password' },
    })
    await expect(startTwoStep(asUser(user), { currentPassword: 'wrong' })).rejects.toMatchObject({ kind: 'invalid' })
    const { link, typed } = await startTwoStep(asUser(user), { currentPassword })
    const secret = typed.replaceAll(' ', '')
    expect(link).toContain(`secret=${secret}`)
    // The set-up is only started: the password alone still logs in.
    await expect(logIn(asVisitor(), { email: user.email, password: 'masthead' })).resolves.toMatchObject({
      needsCode: false,
    })
    await expect(turnOnTwoStep(asUser(user), { code: codeOf(secret, 3600) })).rejects.toMatchObject(
      refusedCode(/is wrong/),
    )
    const { recoveryCodes } = await turnOnTwoStep(asUser(user), { code: codeOf(secret), sessionToken: mine })
    expect(recoveryCodes).toHaveLength(10)
    expect(await readSession(services, mine)).toMatchObject({ session: { actor: { userId: user.id } } })
    expect(await readSession(services, other)).toMatchObject({ ended: 'two-step-changed' })
    expect(await getTwoStep(asUser(user), {})).toEqual({ since: services.clock.now, codesLeft: 10, isRequired: false })
    await expect(startTwoStep(asUser(user), { currentPassword })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(turnOnTwoStep(asUser(user), { code: codeOf(secret) })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await auditOf(user)).toContain('turn-on-two-step')
  })

  it('stores neither the secret nor a recovery code in clear', async () => {
    const { user, secret, recoveryCodes } = await protectedUser()
    const stored = JSON.stringify(
      await services.db.query(`SELECT * FROM users WHERE id = :id`, { id: user.id }),
    ).toLowerCase()
    expect(stored).toContain('v1.')
    for (const value of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(value.toLowerCase())
  })

  it('uses only the second secret if it is started twice', async () => {
    const user = await makeUser(services)
    const first = await startTwoStep(asUser(user), { currentPassword })
    const second = await startTwoStep(asUser(user), { currentPassword })
    await expect(turnOnTwoStep(asUser(user), { code: codeOf(first.typed.replaceAll(' ', '')) })).rejects.toMatchObject(
      refusedCode(/is wrong/),
    )
    await turnOnTwoStep(asUser(user), { code: codeOf(second.typed.replaceAll(' ', '')) })
  })
})

describe('logging in with two steps', () => {
  it('creates no session for just the password, and one for the ticket and a code', async () => {
    const { user, secret } = await protectedUser({ userType: 'superuser' })
    const ticket = await ticketOf(user)
    const spaced = codeOf(secret).replace(/(...)/, '$1 ')
    const { sessionToken, userType } = await completeLogIn(asVisitor(), { ticket, code: ` ${spaced}` })
    expect(userType).toBe('superuser')
    expect(await readSession(services, sessionToken)).toMatchObject({ session: { mustSetUpTwoStep: false } })
    expect(await auditOf(user)).toEqual(['turn-on-two-step', 'log-in'])
  })

  it('accepts each code once, with a small clock difference, and no older one', async () => {
    const { user, secret } = await protectedUser()
    const ticket = await ticketOf(user)
    const code = codeOf(secret)
    await completeLogIn(asVisitor(), { ticket, code })
    await expect(completeLogIn(asVisitor(), { ticket, code })).rejects.toMatchObject(refusedCode(/has been used/))
    services.clock.advance({ seconds: 30 })
    await expect(completeLogIn(asVisitor(), { ticket, code })).rejects.toMatchObject(refusedCode(/has been used/))
    await completeLogIn(asVisitor(), { ticket, code: codeOf(secret, 30) })
    // The code of the current time step precedes the one that was used.
    await expect(completeLogIn(asVisitor(), { ticket, code: codeOf(secret) })).rejects.toMatchObject(
      refusedCode(/has been used/),
    )
    services.clock.advance({ seconds: 90 })
    await completeLogIn(asVisitor(), { ticket, code: codeOf(secret, -30) })
    services.clock.advance({ seconds: 90 })
    for (const seconds of [-60, 60]) {
      await expect(completeLogIn(asVisitor(), { ticket, code: codeOf(secret, seconds) })).rejects.toMatchObject(
        refusedCode(/is wrong/),
      )
    }
    expect((await auditOf(user)).filter((action) => action === 'log-in-refused')).toHaveLength(5)
  })

  it('admits one of two concurrent uses of the same code', async () => {
    const { user, secret, recoveryCodes } = await protectedUser()
    const ticket = await ticketOf(user)
    for (const code of [codeOf(secret), recoveryCodes[3]]) {
      const outcomes = await Promise.allSettled([
        completeLogIn(asVisitor(), { ticket, code }),
        completeLogIn(asVisitor(), { ticket, code }),
      ])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
    expect(await getTwoStep(asUser(user), {})).toMatchObject({ codesLeft: 9 })
  })

  it('accepts a recovery code once, however it is typed, and notifies the user', async () => {
    const { user, recoveryCodes } = await protectedUser()
    const ticket = await ticketOf(user)
    const [first = '', second = ''] = recoveryCodes
    await completeLogIn(asVisitor(), { ticket, code: ` ${first.toUpperCase().replaceAll('-', ' ')} ` })
    await expect(completeLogIn(asVisitor(), { ticket, code: first })).rejects.toMatchObject(refusedCode(/is wrong/))
    await completeLogIn(asVisitor(), { ticket, code: second })
    expect(await getTwoStep(asUser(user), {})).toMatchObject({ codesLeft: 8 })
    expect((await auditOf(user)).filter((action) => action === 'use-recovery-code')).toHaveLength(2)
    const notices = (await queuedEmails(services, 'account-notice')).filter(({ about }) => about.userId === user.id)
    expect(notices.filter(({ about }) => about.kind === 'recovery-code-used')).toHaveLength(2)
    for (const code of [first, second]) expect(JSON.stringify(notices)).not.toContain(code)
  })

  it('stops guessing after ten codes, even with a new ticket for each', async () => {
    const { user, secret } = await protectedUser()
    for (let n = 0; n < 10; n++) {
      await expect(completeLogIn(asVisitor(), { ticket: await ticketOf(user), code: 'aaaa' })).rejects.toMatchObject(
        refusedCode(/is wrong/),
      )
    }
    await expect(
      completeLogIn(asVisitor(), { ticket: await ticketOf(user), code: codeOf(secret) }),
    ).rejects.toMatchObject({ kind: 'tooMany', retryAfterSeconds: 15 * 60 })
  })

  it('refuses a ticket that is expired, forged, from before a password change or of a deactivated user', async () => {
    const { user, secret } = await protectedUser()
    const refused = { kind: 'unauthenticated' }
    const tryWith = (ticket: string) => completeLogIn(asVisitor(), { ticket, code: codeOf(secret) })
    const expiredTicket = await ticketOf(user)
    services.clock.advance({ seconds: 601 })
    await expect(tryWith(expiredTicket)).rejects.toMatchObject(refused)
    await expect(tryWith('rubbish')).rejects.toMatchObject(refused)
    const apiToken = (
      await issueApiToken(asVisitor(), { email: user.email, password: 'masthead', code: codeOf(secret) })
    ).token
    services.clock.advance({ minutes: 1 })
    await expect(tryWith(apiToken)).rejects.toMatchObject(refused)
    const ticketBeforeChange = await ticketOf(user)
    await changePassword(asUser(user), {
      currentPassword,
      password: 'kite-under-harbour',
      password2: 'kite-under-harbour',
    })
    await expect(tryWith(ticketBeforeChange)).rejects.toMatchObject(refused)
    const loggedIn = await logIn(asVisitor(), { email: user.email, password: 'kite-under-harbour' })
    await services.db.transaction(() => Users.update(services, { id: user.id }, { isActive: false }))
    await expect(tryWith('ticket' in loggedIn ? loggedIn.ticket : '')).rejects.toMatchObject(refused)
  })

  it('issues a ticket that is neither a session nor an API token', async () => {
    const { user } = await protectedUser()
    const ticket = await ticketOf(user)
    expect(await readSession(services, ticket)).toEqual({ ended: 'unknown' })
    await expect(actorOfToken(services, `Bearer ${ticket}`)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})

describe('the API', () => {
  it('requires the code as a field, and accepts each once', async () => {
    const { user, secret } = await protectedUser()
    const credentials = { email: user.email, password: 'masthead' }
    await expect(issueApiToken(asVisitor(), credentials)).rejects.toMatchObject(refusedCode(/two-step log-in/))
    await expect(issueApiToken(asVisitor(), { ...credentials, code: '000' })).rejects.toMatchObject(
      refusedCode(/is wrong/),
    )
    const code = codeOf(secret)
    // Without the password a code has no effect, and is not used up.
    await expect(issueApiToken(asVisitor(), { ...credentials, password: 'wrong', code })).rejects.toMatchObject({
      fields: { password: 'The email or the password is wrong' },
    })
    const { token } = await issueApiToken(asVisitor(), { ...credentials, code })
    await expect(actorOfToken(services, token)).resolves.toMatchObject({ userId: user.id })
    await expect(issueApiToken(asVisitor(), { ...credentials, code })).rejects.toMatchObject(
      refusedCode(/has been used/),
    )
  })
})

describe('changing two-step log-in', () => {
  it('turns it off with the password, ending the other sessions; an earlier ticket is void', async () => {
    const { user, secret } = await protectedUser()
    const ticket = await ticketOf(user)
    const mine = (await completeLogIn(asVisitor(), { ticket, code: codeOf(secret) })).sessionToken
    services.clock.advance({ seconds: 30 })
    const other = (await completeLogIn(asVisitor(), { ticket, code: codeOf(secret) })).sessionToken
    await expect(turnOffTwoStep(asUser(user), { currentPassword: 'wrong' })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await turnOffTwoStep(asUser(user), { currentPassword, sessionToken: mine })).toEqual({ endedSessions: 1 })
    expect(await readSession(services, mine)).toHaveProperty('session')
    expect(await readSession(services, other)).toMatchObject({ ended: 'two-step-changed' })
    await expect(completeLogIn(asVisitor(), { ticket, code: codeOf(secret, 30) })).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
    await sessionOf(user)
    const [row] = await services.db.query(
      `SELECT two_step_secret, two_step_since, two_step_last_step FROM users WHERE id = :id`,
      { id: user.id },
    )
    expect(Object.values(row ?? {})).toEqual([null, null, null])
  })

  it('ends API tokens and log-ins that wait for a code, each time it is turned on or off, and forgets wrong codes', async () => {
    const user = await makeUser(services)
    const credentials = { email: user.email, password: 'masthead' }
    const isRefused = async (token: string) =>
      expect(actorOfToken(services, token)).rejects.toMatchObject({ kind: 'unauthenticated' })
    const withPasswordOnly = (await issueApiToken(asVisitor(), credentials)).token
    const turnOn = async () => {
      const { typed } = await startTwoStep(asUser(user), { currentPassword })
      const secret = typed.replaceAll(' ', '')
      await turnOnTwoStep(asUser(user), { code: codeOf(secret) })
      services.clock.advance({ minutes: 1 })
      return secret
    }
    const first = await turnOn()
    await isRefused(withPasswordOnly)
    const { token } = await issueApiToken(asVisitor(), { ...credentials, code: codeOf(first) })
    const ticket = await ticketOf(user)
    for (let n = 0; n < 9; n++)
      await expect(completeLogIn(asVisitor(), { ticket, code: 'aaaa' })).rejects.toMatchObject(refusedCode(/is wrong/))
    await turnOffTwoStep(asUser(user), { currentPassword })
    await isRefused(token)
    const second = await turnOn()
    await expect(completeLogIn(asVisitor(), { ticket, code: codeOf(second) })).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
    for (let n = 0; n < 2; n++)
      await expect(completeLogIn(asVisitor(), { ticket: await ticketOf(user), code: 'aaaa' })).rejects.toMatchObject(
        refusedCode(/is wrong/),
      )
    await resetTwoStep(services.as(operator), { id: user.id })
    const third = await turnOn()
    for (let n = 0; n < 9; n++)
      await expect(completeLogIn(asVisitor(), { ticket: await ticketOf(user), code: 'aaaa' })).rejects.toMatchObject(
        refusedCode(/is wrong/),
      )
    await completeLogIn(asVisitor(), { ticket: await ticketOf(user), code: codeOf(third) })
  })

  it('creates new recovery codes with the password; the old ones are void', async () => {
    const { user, recoveryCodes } = await protectedUser()
    await expect(makeRecoveryCodes(asUser(user), {})).rejects.toMatchObject({ kind: 'invalid' })
    const renewed = await makeRecoveryCodes(asUser(user), { currentPassword })
    const ticket = await ticketOf(user)
    await expect(completeLogIn(asVisitor(), { ticket, code: recoveryCodes[0] })).rejects.toMatchObject(
      refusedCode(/is wrong/),
    )
    await completeLogIn(asVisitor(), { ticket, code: renewed.recoveryCodes[0] })
    expect(await auditOf(user)).toContain('make-recovery-codes')
  })
})

describe('when the installation requires it', () => {
  let strict: TestServices
  beforeAll(async () => {
    strict = await openTestServices({ REQUIRE_TWO_STEP: 'superuser' })
  })

  it('makes a superuser set it up, refuses an API token until then, and does not let it be turned off', async () => {
    const user = await makeUser(strict, { userType: 'superuser' })
    const ownCtx = () => strict.as(staffActor(user))
    const credentials = { email: user.email, password: 'masthead', loginPage: 'super' }
    await expect(issueApiToken(strict.as(visitor), credentials)).rejects.toMatchObject({
      kind: 'denied',
      message: 'Set up two-step log-in in the browser first: http://localhost:3000/account/two-step',
    })
    const result = await logIn(strict.as(visitor), credentials)
    const sessionToken = result.needsCode ? '' : result.sessionToken
    expect(await readSession(strict, sessionToken)).toMatchObject({ session: { mustSetUpTwoStep: true } })
    const { typed } = await startTwoStep(ownCtx(), { currentPassword })
    const code = generateSync({ secret: typed.replaceAll(' ', ''), epoch: strict.clock.now.getTime() / 1000 })
    await turnOnTwoStep(ownCtx(), { code, sessionToken })
    expect(await readSession(strict, sessionToken)).toMatchObject({ session: { mustSetUpTwoStep: false } })
    await expect(turnOffTwoStep(ownCtx(), { currentPassword })).rejects.toMatchObject({ kind: 'conflict' })
    const publisher = await makeUser(strict)
    await expect(
      issueApiToken(strict.as(visitor), { email: publisher.email, password: 'masthead' }),
    ).resolves.toHaveProperty('token')
  })
})
