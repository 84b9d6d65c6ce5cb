import type { Challenge } from 'altcha-lib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { makeBuyerLink } from '#core/buyers/buyer-link.ts'
import { issueBuyerToken } from '#core/buyers/issue-buyer-token.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { recogniseBuyer } from '#core/buyers/recognise-buyer.ts'
import { requestBuyerReset } from '#core/buyers/request-buyer-reset.ts'
import { resetBuyerPassword } from '#core/buyers/reset-buyer-password.ts'
import { getCaptcha } from '#core/contact/get-captcha.query.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import { getAccountCaptcha } from '#core/users/get-account-captcha.query.ts'
import { logIn } from '#core/users/log-in.ts'
import { makePasswordLink } from '#core/users/password-link.ts'
import { requestReset } from '#core/users/request-reset.ts'
import { resetPassword } from '#core/users/reset-password.ts'
import { encodeCaptcha, solveCaptcha } from '#tests/support/captcha.ts'
import { makeBuyer, makePublication, makeUser, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { countGuess, needsCaptcha } from './guess-limit.ts'

let services: TestServices
let publicationId: number
beforeAll(async () => {
  services = await openTestServices()
  publicationId = (await makePublication(services)).id
})
const startTime = new Date('2026-11-21T10:00:00Z')
beforeEach(async () => {
  services.clock.now = startTime
  await services.db.run(`DELETE FROM rate_limits`)
})

let hosts = 0
/** A visitor from an unused address. */
const visitorFrom = (address = `198.51.100.${++hosts}`): AppContext =>
  contextFor(services, visitor, { entryPoint: 'test', address })

const solutionOf = async (challenge: Challenge) => encodeCaptcha(await solveCaptcha(challenge))
const captcha = async () => solutionOf(await getAccountCaptcha(visitorFrom(), {}))

const refusal = { kind: 'invalid', fields: { captcha: 'Please confirm that you are not a robot' } }
const refusedAgain = { kind: 'invalid', fields: { captcha: 'Please confirm again that you are not a robot' } }

const tokenOf = (url: string | undefined) => url?.split('/').at(-1) ?? ''

interface Account {
  email: string
  /** Attempts to log in from an address, with the other fields of the form. */
  attempt(ctx: AppContext, password: string, more?: { captcha?: string }): Promise<unknown>
  /** Sets a new password by an emailed link. */
  reset(ctx: AppContext, password: string): Promise<unknown>
}

async function staffAccount(): Promise<Account> {
  const { id, email } = await makeUser(services)
  return {
    email,
    attempt: (ctx, password, more = {}) => logIn(ctx, { email, password, ...more }),
    reset: async (ctx, password) =>
      resetPassword(ctx, { token: tokenOf((await makePasswordLink(services.as(system), id, 'reset'))?.url), password }),
  }
}

async function buyerAccount(): Promise<Account> {
  const { id, email } = await makeBuyer(services, publicationId)
  return {
    email,
    attempt: (ctx, password, more = {}) => logInBuyer(ctx, { publicationId, email, password, ...more }),
    reset: async (ctx, password) =>
      resetBuyerPassword(ctx, { token: tokenOf((await makeBuyerLink(services.as(system), id))?.url), password }),
  }
}

/** Counts `hits` wrong passwords for the account, as if they came from many addresses, without hashing any. */
async function simulateAttack({ email }: Account, hits: number): Promise<void> {
  await services.db.run(
    `INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES (:staff, :hits, :until), (:buyer, :hits, :until)`,
    {
      staff: `login:${email.toLowerCase()}`,
      buyer: `buyer:${publicationId}:${email.toLowerCase()}`,
      hits,
      until: new Date(services.clock.now.getTime() + 15 * 60_000),
    },
  )
}

describe.each([
  ['staff', staffAccount],
  ['a reader', buyerAccount],
] as const)('wrong passwords for an account of %s', (_, makeAccount) => {
  it('block the address they come from, and no other', async () => {
    const account = await makeAccount()
    const attacker = visitorFrom()
    for (let n = 0; n < 10; n++)
      await expect(account.attempt(attacker, `no${n}`)).rejects.toMatchObject({
        fields: { password: expect.anything() },
      })
    await expect(account.attempt(attacker, 'masthead')).rejects.toMatchObject({ kind: 'tooMany' })
    await expect(account.attempt(visitorFrom(), 'masthead')).resolves.toBeDefined()
    // The right password from elsewhere changes nothing for the attacker.
    await expect(account.attempt(attacker, 'masthead')).rejects.toMatchObject({ kind: 'tooMany' })
  })

  it('from everywhere require a captcha, and never refuse the right password', async () => {
    const account = await makeAccount()
    await simulateAttack(account, 29)
    await expect(account.attempt(visitorFrom(), 'wrong')).rejects.toMatchObject({
      fields: { password: expect.anything() },
    })
    const owner = visitorFrom()
    for (let n = 0; n < 12; n++) await expect(account.attempt(owner, 'masthead')).rejects.toMatchObject(refusal)
    await expect(account.attempt(owner, 'masthead', { captcha: '' })).rejects.toMatchObject(refusal)
    const usedCaptcha = await captcha()
    await expect(account.attempt(owner, 'wrong', { captcha: usedCaptcha })).rejects.toMatchObject({
      fields: { password: expect.anything() },
    })
    await expect(account.attempt(owner, 'masthead', { captcha: usedCaptcha })).rejects.toMatchObject(refusedAgain)
    const ofAnotherForm = await solutionOf(await getCaptcha(visitorFrom(), {}))
    await expect(account.attempt(owner, 'masthead', { captcha: ofAnotherForm })).rejects.toMatchObject(refusedAgain)
    await expect(account.attempt(owner, 'masthead', { captcha: await captcha() })).resolves.toBeDefined()
    // A successful log-in gives the attackers no new attempts.
    await expect(account.attempt(visitorFrom(), 'wrong')).rejects.toMatchObject(refusal)
  })

  it('are cleared by a password reset by email, which works without JavaScript', async () => {
    const account = await makeAccount()
    await simulateAttack(account, 500)
    const owner = visitorFrom()
    await expect(account.attempt(owner, 'masthead')).rejects.toMatchObject(refusal)
    await account.reset(owner, 'harbour-light-42')
    await expect(account.attempt(owner, 'harbour-light-42')).resolves.toBeDefined()
  })

  it('expire after a quarter of an hour', async () => {
    const account = await makeAccount()
    await simulateAttack(account, 500)
    services.clock.now = new Date(startTime.getTime() + 15 * 60_000 + 1)
    await expect(account.attempt(visitorFrom(), 'masthead')).resolves.toBeDefined()
  })
})

describe('a reader whose password is being guessed', () => {
  it('gets a token with a captcha, and is sent from the order form to the log-in', async () => {
    const account = await buyerAccount()
    const { email } = account
    await simulateAttack(account, 30)
    await expect(issueBuyerToken(visitorFrom(), { publicationId, email, password: 'masthead' })).rejects.toMatchObject(
      refusal,
    )
    const order = { email, password: 'masthead', isWallet: false }
    await expect(recogniseBuyer(visitorFrom(), publicationId, order)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { password: expect.stringContaining('Log in first') },
    })
    await expect(
      issueBuyerToken(visitorFrom(), { publicationId, email, password: 'masthead', captcha: await captcha() }),
    ).resolves.toMatchObject({ token: expect.any(String) })
  })
})

it('an account needs a captcha however long its name is', async () => {
  const limit = {
    name: 'test',
    fromAddress: { hits: 5, windowSeconds: 60 },
    ofAccount: { hits: 2, windowSeconds: 60 },
  }
  const account = `${'a'.repeat(240)}@example.test`
  for (const isNeeded of [false, false, true]) {
    expect(await needsCaptcha(visitorFrom(), limit, account)).toBe(isNeeded)
    if (!isNeeded) await countGuess(visitorFrom(), limit, account, undefined)
  }
})

describe('requesting a new password', () => {
  it('is refused to one address after five times, and requires a captcha after ten from anywhere', async () => {
    const user = await makeUser(services)
    const buyer = await makeBuyer(services, publicationId)
    const resetRequests = [
      (ctx: AppContext, more = {}) => requestReset(ctx, { email: user.email, ...more }),
      (ctx: AppContext, more = {}) => requestBuyerReset(ctx, { publicationId, email: buyer.email, ...more }),
    ]
    for (const requestPassword of resetRequests) {
      const nuisance = visitorFrom()
      for (let n = 0; n < 5; n++) expect(await requestPassword(nuisance)).toEqual({ isKnown: true })
      await expect(requestPassword(nuisance)).rejects.toMatchObject({ kind: 'tooMany' })
      for (let n = 0; n < 5; n++) expect(await requestPassword(visitorFrom())).toEqual({ isKnown: true })
      const owner = visitorFrom()
      await expect(requestPassword(owner)).rejects.toMatchObject(refusal)
      expect(await requestPassword(owner, { captcha: await captcha() })).toEqual({ isKnown: true })
    }
  })
})
