import { createHook } from 'node:async_hooks'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { hashPassword, passwordMatches } from '#core/access/passwords.ts'
import { contextFor } from '#core/context.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { makeUser, operator, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { actorOfToken, issueApiToken } from './api-token.ts'
import { changePassword } from './change-password.ts'
import { checkReset } from './check-reset.ts'
import { logIn } from './log-in.ts'
import { makePasswordLink } from './password-link.ts'
import { requestReset } from './request-reset.ts'
import { resetPassword } from './reset-password.ts'
import { readSession } from './sessions.ts'
import { setUserPassword } from './set-user-password.ts'
import { staffActor } from './staff-actor.ts'
import { type UserRow, Users } from './users.rows.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(() => services.db.run(`DELETE FROM rate_limits`))

const newPassword = 'kite-under-harbour'
const newPasswordTwice = { password: newPassword, password2: newPassword }
const badToken =
  "The token you have provided is either incorrect or has expired. Please try again if you'd like to continue with your password reset"
const refusedToken = { kind: 'invalid', fields: { token: badToken } }
const asVisitor = () => services.as(visitor)
async function linkFor(user: UserRow, purpose: 'reset' | 'invitation' = 'reset'): Promise<string> {
  const link = await makePasswordLink(services.as(system), user.id, purpose)
  return link?.url.split('/').at(-1) ?? ''
}

async function sessionOf(user: UserRow, password = 'masthead'): Promise<string> {
  const result = await logIn(asVisitor(), { email: user.email, password })
  if (result.needsCode) throw new Error('needs a code')
  return result.sessionToken
}

async function emailsFor(user: UserRow): Promise<Record<string, unknown>[]> {
  const queued = await queuedEmails(services)
  return queued.filter(({ about }) => about.userId === user.id).map(({ mail, about }) => ({ mail, ...about }))
}

async function auditOf(user: UserRow) {
  return services.db.query<{ action: string; actor_kind: string }>(
    `SELECT action, actor_kind FROM audit_log WHERE subject_type = 'user' AND subject_id = :id ORDER BY id`,
    { id: user.id },
  )
}

describe('a forgotten password', () => {
  it('creates one email for a known email, in upper or lower case, and nothing for an unknown or deactivated one', async () => {
    const user = await makeUser(services, { userType: 'superuser', email: 'Forgetful@Example.test' })
    expect(await requestReset(asVisitor(), { email: ' forgetful@example.TEST ' })).toEqual({ isKnown: true })
    expect(await emailsFor(user)).toMatchObject([{ mail: 'reset-link' }])
    expect(await auditOf(user)).toEqual([{ action: 'ask-reset', actor_kind: 'visitor' }])
    const gone = await makeUser(services, { email: 'gone@example.test', isActive: false })
    const orphan = await makeUser(services, { userType: 'admin', parentPublisherId: gone.id })
    for (const email of ['nobody@example.test', gone.email, orphan.email])
      expect(await requestReset(asVisitor(), { email })).toEqual({ isKnown: false })
    expect([...(await emailsFor(gone)), ...(await emailsFor(orphan))]).toEqual([])
    await expect(requestReset(asVisitor(), { email: ' ' })).rejects.toMatchObject({
      fields: { email: 'Enter the email you log in with' },
    })
  })

  it('is limited to five an hour per account, and twenty per address', async () => {
    for (let n = 0; n < 5; n++) await requestReset(asVisitor(), { email: 'often@example.test' })
    await expect(requestReset(asVisitor(), { email: 'OFTEN@example.test' })).rejects.toMatchObject({
      kind: 'tooMany',
      retryAfterSeconds: 3600,
    })
    const fromOneAddress = contextFor(services, visitor, { entryPoint: 'web', address: '203.0.113.7' })
    for (let n = 0; n < 20; n++) await requestReset(fromOneAddress, { email: `guess${n}@example.test` })
    await expect(requestReset(fromOneAddress, { email: 'guess21@example.test' })).rejects.toMatchObject({
      kind: 'tooMany',
    })
  })

  it('accepts an email of the maximum length, and counts it too', async () => {
    const email = `${'x'.repeat(240)}@example.test`
    for (let n = 0; n < 5; n++) expect(await requestReset(asVisitor(), { email })).toEqual({ isKnown: false })
    await expect(requestReset(asVisitor(), { email })).rejects.toMatchObject({ kind: 'tooMany' })
  })
})

describe('the link', () => {
  it('sets a password once; sessions, API tokens and the other links end, and the user is notified', async () => {
    const user = await makeUser(services)
    const session = await sessionOf(user)
    const { token: apiToken } = await issueApiToken(asVisitor(), { email: user.email, password: 'masthead' })
    const invitation = await linkFor(user, 'invitation')
    const token = await linkFor(user)
    expect(await checkReset(asVisitor(), { token })).toEqual({
      purpose: 'reset',
      firstName: 'Ada',
      email: user.email,
    })
    await resetPassword(asVisitor(), { token, ...newPasswordTwice })
    expect(await readSession(services, session)).toMatchObject({ ended: 'password-changed' })
    await expect(actorOfToken(services, apiToken)).rejects.toMatchObject({ kind: 'unauthenticated' })
    await expect(sessionOf(user)).rejects.toMatchObject({ kind: 'invalid' })
    await sessionOf(user, newPassword)
    for (const usedToken of [token, invitation]) {
      expect(await checkReset(asVisitor(), { token: usedToken })).toBeNull()
      await expect(resetPassword(asVisitor(), { token: usedToken, ...newPasswordTwice })).rejects.toMatchObject(
        refusedToken,
      )
    }
    expect(await emailsFor(user)).toMatchObject([{ mail: 'account-notice', kind: 'password-changed' }])
    expect((await auditOf(user)).map(({ action }) => action)).toContain('reset-password')
  })

  it('is valid for an hour, an invitation for seven days', async () => {
    const user = await makeUser(services)
    const token = await linkFor(user)
    const invitation = await linkFor(user, 'invitation')
    services.clock.advance({ minutes: 59 })
    expect(await checkReset(asVisitor(), { token })).not.toBeNull()
    services.clock.advance({ minutes: 1 })
    await expect(resetPassword(asVisitor(), { token, ...newPasswordTwice })).rejects.toMatchObject(refusedToken)
    services.clock.advance({ days: 7, minutes: -61 })
    expect(await checkReset(asVisitor(), { token: invitation })).toMatchObject({ purpose: 'invitation' })
    services.clock.advance({ minutes: 1 })
    expect(await checkReset(asVisitor(), { token: invitation })).toBeNull()
  })

  it('ends with a newer one, a deactivation and a password change', async () => {
    const user = await makeUser(services)
    const older = await linkFor(user)
    const newer = await linkFor(user)
    await expect(resetPassword(asVisitor(), { token: older, ...newPasswordTwice })).rejects.toMatchObject(refusedToken)
    expect(await checkReset(asVisitor(), { token: newer })).not.toBeNull()
    await changePassword(services.as(staffActor(user)), { currentPassword: 'masthead', ...newPasswordTwice })
    await expect(resetPassword(asVisitor(), { token: newer, ...newPasswordTwice })).rejects.toMatchObject(refusedToken)
    const newest = await linkFor(user)
    await services.db.transaction(() => Users.update(services, { id: user.id }, { isActive: false }))
    await expect(resetPassword(asVisitor(), { token: newest, ...newPasswordTwice })).rejects.toMatchObject(refusedToken)
    expect(await makePasswordLink(services.as(system), user.id, 'reset')).toBeNull()
  })

  it('works for one of two concurrent uses', async () => {
    const user = await makeUser(services)
    const token = await linkFor(user)
    const attempts = ['first-to-come', 'second-to-come'].map((password) =>
      resetPassword(asVisitor(), { token, password, password2: password }),
    )
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refusedToken })
    expect(await auditOf(user)).toHaveLength(1)
  })

  it('is not used up by a refused password', async () => {
    const user = await makeUser(services)
    const token = await linkFor(user)
    const refusals = [
      [{ password: 'abc', password2: 'abc' }, { password: 'Must be at least 6 characters' }],
      [{ password: newPassword, password2: 'other' }, { password2: 'The passwords must match.' }],
      [{ password: '', password2: '' }, { password: 'Required' }],
      [{ password: 'qwerty', password2: 'qwerty' }, { password: expect.stringContaining('most common passwords') }],
    ]
    for (const [typed, fields] of refusals)
      await expect(resetPassword(asVisitor(), { token, ...typed })).rejects.toMatchObject({ fields })
    await resetPassword(asVisitor(), { token, password: newPassword })
  })

  it('is stored only hashed, leaves two-step log-in on, and unlocks a locked account', async () => {
    const user = await makeUser(services, { twoStepSince: services.clock.now })
    const token = await linkFor(user)
    expect(JSON.stringify(await services.db.query(`SELECT * FROM password_resets`))).not.toContain(token)
    for (let n = 0; n < 11; n++) await sessionOf(user, 'wrong').catch(() => {})
    await expect(sessionOf(user)).rejects.toMatchObject({ kind: 'tooMany' })
    await resetPassword(asVisitor(), { token, ...newPasswordTwice })
    await expect(logIn(asVisitor(), { email: user.email, password: newPassword })).resolves.toMatchObject({
      needsCode: true,
    })
  })

  it('is deleted a week after its end', async () => {
    await services.db.run(`DELETE FROM password_resets`)
    const user = await makeUser(services)
    await linkFor(user)
    services.clock.advance({ days: 7 })
    expect(await cleanUp(services.as(system), {})).toMatchObject({ links: 0 })
    services.clock.advance({ minutes: 61 })
    expect(await cleanUp(services.as(system), {})).toMatchObject({ links: 1 })
  })
})

describe('changing the password', () => {
  it('requires the current one, ends the other sessions and keeps this one', async () => {
    const user = await makeUser(services)
    const mine = await sessionOf(user)
    const other = await sessionOf(user)
    const asUser = services.as(staffActor(user))
    await expect(changePassword(asUser, { currentPassword: '', password: 'abc', password2: '' })).rejects.toMatchObject(
      {
        fields: {
          currentPassword: 'Enter your current password',
          password: 'Must be at least 6 characters',
          password2: 'Required',
        },
      },
    )
    await expect(changePassword(asUser, { currentPassword: 'wrong', ...newPasswordTwice })).rejects.toMatchObject({
      fields: { currentPassword: 'The current password is wrong' },
    })
    await expect(
      changePassword(asUser, { currentPassword: 'masthead', password: 'masthead', password2: 'masthead' }),
    ).rejects.toMatchObject({ fields: { password: 'This is your current password. Choose another one.' } })
    expect(
      await changePassword(asUser, { currentPassword: 'masthead', ...newPasswordTwice, sessionToken: mine }),
    ).toEqual({
      endedSessions: 1,
    })
    expect(await readSession(services, mine)).toHaveProperty('session')
    expect(await readSession(services, other)).toMatchObject({ ended: 'password-changed' })
    await sessionOf(user, newPassword)
    expect(await emailsFor(user)).toMatchObject([{ kind: 'password-changed' }])
  })

  it('keeps no session of another user alive', async () => {
    const user = await makeUser(services)
    const stranger = await makeUser(services)
    const sessionOfStranger = await sessionOf(stranger)
    const mine = await sessionOf(user)
    await changePassword(services.as(staffActor(user)), {
      currentPassword: 'masthead',
      ...newPasswordTwice,
      sessionToken: sessionOfStranger,
    })
    expect(await readSession(services, mine)).toMatchObject({ ended: 'password-changed' })
    expect(await readSession(services, sessionOfStranger)).toHaveProperty('session')
  })

  it('succeeds for one of two at once', async () => {
    const user = await makeUser(services)
    const asUser = services.as(staffActor(user))
    const attempts = ['first-to-come', 'second-to-come'].map((password) =>
      changePassword(asUser, { currentPassword: 'masthead', password, password2: password }),
    )
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('without the current one is allowed to the operator alone, and ends every session', async () => {
    const user = await makeUser(services)
    const session = await sessionOf(user)
    const input = { email: user.email.toUpperCase(), password: newPassword }
    await expect(setUserPassword(services.as(staffActor(user)), input)).rejects.toMatchObject({ kind: 'denied' })
    await expect(setUserPassword(services.as(operator), { ...input, password: 'abc' })).rejects.toMatchObject({
      fields: { password: 'Must be at least 6 characters' },
    })
    expect(await setUserPassword(services.as(operator), input)).toEqual({ userId: user.id, endedSessions: 1 })
    expect(await readSession(services, session)).toMatchObject({ ended: 'password-changed' })
    await sessionOf(user, newPassword)
    await expect(setUserPassword(services.as(operator), { ...input, email: 'no@example.test' })).rejects.toMatchObject({
      kind: 'notFound',
    })
    expect((await auditOf(user)).at(-2)).toEqual({ action: 'set-password', actor_kind: 'operator' })
  })
})

/** How many password checks some work does, measured by the native calls that a single check makes. */
async function checksDuring(work: () => Promise<unknown>): Promise<number> {
  const nativeCallsDuring = async (action: () => Promise<unknown>) => {
    const kinds = new Map<string, number>()
    const hook = createHook({ init: (_id, kind) => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1) }).enable()
    await action().catch(() => {})
    hook.disable()
    kinds.delete('PROMISE')
    return kinds
  }
  const stored = await hashPassword('measured')
  await passwordMatches(stored, 'warm')
  const [singleCheck] = await nativeCallsDuring(() => passwordMatches(stored, 'once'))
  if (!singleCheck) throw new Error('Checking a password begins no native work')
  return ((await nativeCallsDuring(work)).get(singleCheck[0]) ?? 0) / singleCheck[1]
}

describe('a refused log-in', () => {
  it('does the same work and gives the same answer for an unknown email, a wrong password, the wrong log-in page, a deactivated user', async () => {
    const known = await makeUser(services, { email: 'known@example.test' })
    const gone = await makeUser(services, { email: 'deactivated@example.test', isActive: false })
    const root = await makeUser(services, { email: 'root@example.test', userType: 'superuser' })
    const attempts = [
      { email: 'unknown@example.test', password: 'masthead' },
      { email: known.email, password: 'wrong' },
      { email: gone.email, password: 'masthead' },
      { email: root.email, password: 'masthead' },
    ]
    for (const attempt of attempts) {
      for (const authenticate of [logIn, issueApiToken]) {
        let refusal: unknown
        const checks = await checksDuring(() =>
          authenticate(asVisitor(), attempt).catch((error: unknown) => {
            refusal = error
          }),
        )
        expect([attempt.email, checks]).toEqual([attempt.email, 1])
        expect(refusal).toMatchObject({
          kind: 'invalid',
          message: 'The email or the password is wrong',
          fields: { password: 'The email or the password is wrong' },
        })
      }
    }
    const entries = await services.db.query<{ subject_id: number | null }>(
      `SELECT * FROM audit_log WHERE action = 'log-in-refused' ORDER BY id DESC LIMIT 8`,
    )
    expect(entries.map(({ subject_id }) => subject_id).reverse()).toEqual(
      [null, known.id, gone.id, root.id].flatMap((id) => [id, id]),
    )
    expect(JSON.stringify(entries)).not.toMatch(/@|wrong/)
  })
})
