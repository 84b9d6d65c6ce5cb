import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { contextFor } from '#core/context.ts'
import { changePassword } from '#core/users/change-password.ts'
import { checkReset } from '#core/users/check-reset.ts'
import { requestReset } from '#core/users/request-reset.ts'
import { setUserPassword } from '#core/users/set-user-password.ts'
import { staffActor } from '#core/users/staff-actor.ts'
import { mailSender } from '#tests/support/emails.ts'
import { makeUser, operator, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'

const sendResetLink = mailSender('reset-link')
const sendInvitation = mailSender('invitation')
const sendAccountNotice = mailSender('account-notice')

let services: TestServices
beforeAll(async () => {
  services = await openTestServices({ APP_URL: 'https://subscriptions.example.test' })
})

async function emailsTo(email: string) {
  const emails = (await services.mail.devMailbox?.list(200)) ?? []
  return emails.filter(({ to }) => to === email).reverse()
}

const tokenIn = (text: string) => /https:\/\/subscriptions\.example\.test\/reset\/([\w-]{43})\s/.exec(text)?.[1] ?? ''
const isUsable = async (token: string) => (await checkReset(services.as(visitor), { token })) !== null

describe('the email with a link', () => {
  it('is sent once by the worker, with a token that is stored nowhere else', async () => {
    const user = await makeUser(services)
    await requestReset(services.as(visitor), { email: user.email })
    await runWorker(services)
    const [mail, ...more] = await emailsTo(user.email)
    expect(more).toEqual([])
    const token = tokenIn(mail?.text ?? '')
    expect(mail?.html).toContain(`https://subscriptions.example.test/reset/${token}`)
    expect(await isUsable(token)).toBe(true)
    for (const table of ['jobs', 'emails', 'password_resets', 'audit_log']) {
      expect(JSON.stringify(await services.db.query(`SELECT * FROM ${table}`))).not.toContain(token)
    }
  })

  it('is rendered again after a failure, and not sent twice', async () => {
    const user = await makeUser(services)
    const job = { userId: user.id, key: 'one-request' }
    const attemptedTokens: string[] = []
    const ctx = services.as(system)
    const failingMail = {
      ...ctx.mail,
      send: ({ text }: { text: string }) => {
        attemptedTokens.push(tokenIn(text))
        return Promise.reject(new Error('down'))
      },
    }
    await expect(sendResetLink({ ...ctx, mail: failingMail }, job)).rejects.toThrow('down')
    expect(await sendResetLink(ctx, job)).toBe(true)
    expect(await sendResetLink(ctx, job)).toBe(false)
    const [mail, ...more] = await emailsTo(user.email)
    expect(more).toEqual([])
    const sentToken = tokenIn(mail?.text ?? '')
    expect(attemptedTokens).not.toEqual([sentToken])
    expect([await isUsable(attemptedTokens[0] ?? ''), await isUsable(sentToken)]).toEqual([false, true])
  })

  it('is not sent to a deactivated or unknown user, nor by a visitor', async () => {
    const user = await makeUser(services, { isActive: false })
    for (const send of [sendResetLink, sendInvitation]) {
      expect(await send(services.as(system), { userId: user.id, key: 'a' })).toBe(false)
      expect(await send(services.as(system), { userId: 999_999, key: 'a' })).toBe(false)
      await expect(send(services.as(visitor), { userId: user.id, key: 'a' })).rejects.toMatchObject({
        kind: 'unauthenticated',
      })
    }
    expect(await emailsTo(user.email)).toEqual([])
  })

  it('of an invitation names the user, the role and the company', async () => {
    const user = await makeUser(services, { userType: 'admin', firstName: 'Ida', lastName: '<b>Press</b>' })
    await sendInvitation(services.as(system), { userId: user.id, key: 'a' })
    const [mail] = await emailsTo(user.email)
    expect(mail?.subject).toMatch(/^Your account at Masthead for Company \d+$/)
    for (const words of ['Dear Ida <b>Press</b>,', 'with the role Reader administrator', user.email])
      expect(mail?.text).toContain(words)
    expect(mail?.html).toContain('Ida &lt;b&gt;Press')
    services.clock.advance({ days: 6 })
    expect(await isUsable(tokenIn(mail?.text ?? ''))).toBe(true)
  })
})

describe('a notice', () => {
  it('shows when the change was made and from where', async () => {
    const user = await makeUser(services)
    const ctx = contextFor(services, staffActor(user), { entryPoint: 'web', address: '203.0.113.7' })
    services.clock.now = new Date('2026-12-01T09:05:00Z')
    const currentPassword = 'masthead'
    const password = 'kite-under-harbour'
    await changePassword(ctx, { currentPassword, password, password2: password })
    services.clock.now = new Date('2026-12-01T11:00:00Z')
    await runWorker(services)
    const [mail] = await emailsTo(user.email)
    expect(mail?.subject).toBe('Your password was changed')
    expect(mail?.text).toContain('When: 01/12/2026 09:05 (Europe/London)\nFrom: 203.0.113.7')
    expect(mail?.text).toContain('https://subscriptions.example.test/forgot')
    expect(mail?.text).not.toContain(password)
  })

  it('says that somebody else made the change, and not from where', async () => {
    const user = await makeUser(services)
    const ctx = contextFor(services, operator, { entryPoint: 'cli', address: '203.0.113.9' })
    await setUserPassword(ctx, { email: user.email, password: 'kite-under-harbour' })
    await runWorker(services)
    const [mail] = await emailsTo(user.email)
    expect(mail?.text).toContain('By: Somebody who manages your account')
    expect(mail?.text).not.toContain('203.0.113.9')
  })

  it('goes to its given address, once per request', async () => {
    const user = await makeUser(services)
    const notice = { userId: user.id, kind: 'email-changed', key: 'a', to: 'former@example.test' }
    expect(await sendAccountNotice(services.as(system), notice)).toBe(true)
    expect(await sendAccountNotice(services.as(system), notice)).toBe(false)
    expect(await emailsTo('former@example.test')).toMatchObject([{ subject: 'The email of your account was changed' }])
    expect(await emailsTo(user.email)).toEqual([])
  })
})
