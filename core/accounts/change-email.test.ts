import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { hashToken, newToken } from '#core/access/tokens.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { makeUser } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { logIn } from '../users/log-in.ts'
import { readSession } from '../users/sessions.ts'
import { staffActor } from '../users/staff-actor.ts'
import { changeEmail } from './change-email.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const currentPassword = 'masthead'

async function openSession(email: string): Promise<string> {
  const result = await logIn(services.as(visitor), { email, password: currentPassword })
  if (!('sessionToken' in result)) throw new Error('no session')
  return result.sessionToken
}

it('changes the email, keeps this session, ends other sessions and open password links, and notifies both addresses', async () => {
  const user = await makeUser(services, { userType: 'mailer', email: 'before@example.test' })
  const thisSession = await openSession(user.email)
  const otherSession = await openSession(user.email)
  await services.db.run(
    `INSERT INTO password_resets (token_hash, user_id, expires_at, created_at) VALUES (:hash, :id, :later, :now)`,
    { hash: hashToken(newToken()), id: user.id, later: new Date('2026-12-01T00:00:00Z'), now: services.now() },
  )
  await changeEmail(services.as(staffActor(user)), {
    email: 'After@Example.test',
    currentPassword,
    sessionToken: thisSession,
  })
  await expect(openSession('after@example.TEST')).resolves.toBeTruthy()
  await expect(openSession('before@example.test')).rejects.toMatchObject({ kind: 'invalid' })
  expect(await readSession(services, thisSession)).toMatchObject({
    session: { actor: { email: 'After@Example.test' } },
  })
  expect(await readSession(services, otherSession)).toHaveProperty('ended')
  expect(
    await services.db.query(`SELECT id FROM password_resets WHERE user_id = :id AND used_at IS NULL`, { id: user.id }),
  ).toEqual([])
  const payloads = (await queuedEmails(services, 'account-notice')).map(({ about }) => about)
  expect(payloads).toEqual([
    expect.objectContaining({ userId: user.id, kind: 'email-changed' }),
    expect.objectContaining({ userId: user.id, kind: 'email-changed', to: 'before@example.test' }),
  ])
  expect(payloads[0]).not.toHaveProperty('to')
  const audit = await services.db.query(`SELECT * FROM audit_log WHERE action = 'change-email'`)
  expect(audit).toHaveLength(1)
  expect(JSON.stringify(audit)).not.toMatch(/example/i)
})

it('refuses an address already in use in any case, an invalid one, and a wrong password', async () => {
  await makeUser(services, { email: 'Taken@Example.test' })
  const user = await makeUser(services, { email: 'mine@example.test' })
  const ctx = services.as(staffActor(user))
  const expectRefused = async (sent: object, fields: object) =>
    expect(changeEmail(ctx, sent)).rejects.toMatchObject({ kind: 'invalid', fields })
  await expectRefused({ email: ' tAKEN@example.test ', currentPassword }, { email: 'That email is already taken' })
  await expectRefused(
    { email: 'no address', currentPassword: '' },
    {
      email: 'Invalid email address',
      currentPassword: 'Enter your current password',
    },
  )
  await expectRefused(
    { email: 'new@example.test', currentPassword: 'wrong' },
    {
      currentPassword: 'The current password is wrong',
    },
  )
  await expectRefused({ email: 'mine@example.test', currentPassword }, { email: 'This is already your email' })
  await changeEmail(ctx, { email: 'MINE@example.test', currentPassword })
})

it('does not let a logged-in user probe a list of addresses', async () => {
  const ctx = services.as(staffActor(await makeUser(services)))
  for (let n = 0; n < 20; n++) {
    await expect(changeEmail(ctx, { email: `guess${n}@example.test`, currentPassword: '' })).rejects.toMatchObject({
      kind: 'invalid',
    })
  }
  await expect(changeEmail(ctx, { email: 'guess@example.test', currentPassword: '' })).rejects.toMatchObject({
    kind: 'tooMany',
  })
})
