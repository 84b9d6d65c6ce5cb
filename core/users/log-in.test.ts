import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { makeUser } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { actorOfToken, issueApiToken } from './api-token.ts'
import { logIn } from './log-in.ts'
import { logOut, readSession } from './sessions.ts'
import { staffActor } from './staff-actor.ts'
import { Users } from './users.rows.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function sessionOf(email: string): Promise<string> {
  const result = await logIn(services.as(visitor), { email, password: 'masthead' })
  if (result.needsCode) throw new Error('This user has two-step log-in')
  return result.sessionToken
}

describe('the log-in', () => {
  it('creates a session that reads back as the user, whatever the case of the email', async () => {
    const user = await makeUser(services, { userType: 'pubadmin', email: 'Ann@Example.test' })
    const result = await readSession(services, await sessionOf('ann@example.TEST'))
    expect(result).toMatchObject({
      session: { actor: { userId: user.id, userType: 'pubadmin', publisherId: user.parentPublisherId } },
    })
  })

  it('gives the same answer for an unknown email, a wrong password, the wrong log-in page and a deactivated user', async () => {
    await makeUser(services, { email: 'known@example.test' })
    await makeUser(services, { email: 'gone@example.test', isActive: false })
    await makeUser(services, { email: 'super@example.test', userType: 'superuser' })
    const attempts = [
      { email: 'unknown@example.test', password: 'masthead' },
      { email: 'known@example.test', password: 'wrong' },
      { email: 'gone@example.test', password: 'masthead' },
      { email: 'super@example.test', password: 'masthead' },
    ]
    for (const attempt of attempts) {
      await expect(logIn(services.as(visitor), attempt)).rejects.toMatchObject({
        kind: 'invalid',
        fields: { password: 'The email or the password is wrong' },
      })
    }
  })

  it('stops guessing after ten attempts for one account', async () => {
    await makeUser(services, { email: 'guessed@example.test' })
    for (let n = 0; n < 10; n++) {
      await expect(
        logIn(services.as(visitor), { email: 'guessed@example.test', password: `no${n}` }),
      ).rejects.toMatchObject({ kind: 'invalid' })
    }
    await expect(
      logIn(services.as(visitor), { email: 'guessed@example.test', password: 'masthead' }),
    ).rejects.toMatchObject({ kind: 'tooMany' })
  })

  it('never counts the right password as a guess', async () => {
    const user = await makeUser(services, { email: 'often@example.test' })
    for (let n = 0; n < 12; n++) {
      await expect(logIn(services.as(visitor), { email: user.email, password: 'masthead' })).resolves.toBeDefined()
    }
  })

  it('does not count the right password against the limit of its network address', async () => {
    const user = await makeUser(services, { email: 'office@example.test' })
    const visitorCtx = services.as(visitor)
    const ctx = { ...visitorCtx, origin: { ...visitorCtx.origin, address: '192.0.2.50' } }
    const attempt = () => logIn(ctx, { email: user.email, password: 'masthead' })
    await attempt()
    const limit = { key: 'login-from:192.0.2.50' }
    expect(await services.db.run(`UPDATE rate_limits SET hits = 49 WHERE limit_key = :key`, limit)).toBe(1)
    for (let n = 0; n < 3; n++) expect(await attempt()).toBeDefined()
    await services.db.run(`UPDATE rate_limits SET hits = 50 WHERE limit_key = :key`, limit)
    await expect(attempt()).rejects.toMatchObject({ kind: 'tooMany' })
  })

  it('creates a session that ends with log-out, inactivity and an incremented token version', async () => {
    const user = await makeUser(services, { email: 'ends@example.test' })
    const logInAgain = () => sessionOf(user.email)
    const left = await logInAgain()
    const idle = await logInAgain()
    const changed = await logInAgain()
    await logOut(services.as(staffActor(user)), left)
    expect(await readSession(services, left)).toMatchObject({ ended: 'signed-out' })
    const start = services.clock.now
    onTestFinished(() => {
      services.clock.now = start
    })
    services.clock.now = new Date(start.getTime() + 13 * 3_600_000)
    expect(await readSession(services, idle)).toMatchObject({ ended: 'expired' })
    services.clock.now = start
    await Users.update(services, { id: user.id }, { tokenVersion: 1 })
    expect(await readSession(services, changed)).toMatchObject({ ended: 'changed' })
  })

  it('reports the user type of an ended session: superusers have their own log-in page', async () => {
    const user = await makeUser(services, { userType: 'superuser', email: 'root@example.test' })
    const result = await logIn(services.as(visitor), { email: user.email, password: 'masthead', loginPage: 'super' })
    if (result.needsCode) throw new Error('This user has two-step log-in')
    await logOut(services.as(staffActor(user)), result.sessionToken)
    expect(await readSession(services, result.sessionToken)).toEqual({ ended: 'signed-out', userType: 'superuser' })
  })
})

describe('API token', () => {
  it('is valid until the role changes', async () => {
    const user = await makeUser(services, { email: 'token@example.test' })
    const { token } = await issueApiToken(services.as(visitor), { email: user.email, password: 'masthead' })
    await expect(actorOfToken(services, `Bearer ${token}`)).resolves.toMatchObject({ userId: user.id })
    await services.db.transaction(() => Users.update(services, { id: user.id }, { userType: 'mailer' }))
    await expect(actorOfToken(services, token)).rejects.toMatchObject({ kind: 'unauthenticated' })
    await expect(actorOfToken(services, 'rubbish')).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})
