import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { checkReset } from '#core/users/check-reset.ts'
import { resetPassword } from '#core/users/reset-password.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { makeBuyer, makePublication, system } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { makeBuyerLink } from './buyer-link.ts'
import { readBuyerSession } from './buyer-session.ts'
import { checkBuyerReset } from './check-buyer-reset.ts'
import { checkClaim } from './claim-account.ts'
import { makeClaimLink } from './claim-link.ts'
import { logInBuyer } from './log-in-buyer.ts'
import { requestBuyerReset } from './request-buyer-reset.ts'
import { resetBuyerPassword } from './reset-buyer-password.ts'

let services: TestServices
let publicationId: number
let urlKey: string
beforeAll(async () => {
  services = await openTestServices()
  const publication = await makePublication(services)
  publicationId = publication.id
  urlKey = publication.urlKey
})

const password = 'kite-under-harbour'
const asVisitor = () => services.as(visitor)
const badToken = { kind: 'invalid', fields: { token: expect.stringContaining('incorrect or has expired') } }

async function resetTokenOf(buyerId: number): Promise<string> {
  const link = await makeBuyerLink(services.as(system), buyerId)
  return link?.url.split('/resetsub/')[1] ?? ''
}

describe('a reader who forgot the password', () => {
  it('is sent a link; an email that is unknown, or known only at another publication, is reported as unknown', async () => {
    const { id, email } = await makeBuyer(services, publicationId)
    const otherPublication = await makePublication(services)
    expect(await requestBuyerReset(asVisitor(), { publicationId, email: ` ${email.toUpperCase()} ` })).toEqual({
      isKnown: true,
    })
    expect(await requestBuyerReset(asVisitor(), { publicationId: otherPublication.id, email })).toEqual({
      isKnown: false,
    })
    const queued = await queuedEmails(services, 'buyer-reset-link')
    expect(queued.map(({ about }) => about)).toEqual([{ buyerId: id, key: expect.any(String) }])
  })

  it('may request five links an hour', async () => {
    const { email } = await makeBuyer(services, publicationId)
    for (let n = 0; n < 5; n++) await requestBuyerReset(asVisitor(), { publicationId, email })
    await expect(requestBuyerReset(asVisitor(), { publicationId, email })).rejects.toMatchObject({ kind: 'tooMany' })
  })

  it('sets a new password by the link, once, and is logged out everywhere', async () => {
    const buyer = await makeBuyer(services, publicationId)
    const { sessionToken } = await logInBuyer(asVisitor(), { publicationId, email: buyer.email, password: 'masthead' })
    const token = await resetTokenOf(buyer.id)
    expect(await checkBuyerReset(asVisitor(), { token })).toEqual({ email: buyer.email, urlKey })
    await expect(resetBuyerPassword(asVisitor(), { token, password: '123456' })).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    })
    await expect(resetBuyerPassword(asVisitor(), { token, password, password2: 'other' })).rejects.toMatchObject({
      fields: { password2: 'The passwords must match.' },
    })
    await resetBuyerPassword(asVisitor(), { token, password, password2: password })
    expect(await readBuyerSession(services, { token: sessionToken, publicationId })).toBeNull()
    await expect(resetBuyerPassword(asVisitor(), { token, password })).rejects.toMatchObject(badToken)
    expect(await checkBuyerReset(asVisitor(), { token })).toEqual({ email: null, urlKey })
    await logInBuyer(asVisitor(), { publicationId, email: buyer.email, password })
  })

  it('revokes an unused link to set a first password', async () => {
    const { id, email } = await makeBuyer(services, publicationId)
    const readerId = await makeReader(services, publicationId, { subType: 'digital', email })
    const claim = (await makeClaimLink(services.as(system), readerId))?.url.split('/claim/')[1] ?? ''
    expect(await checkClaim(asVisitor(), { urlKey, token: claim })).toEqual({ email })
    await resetBuyerPassword(asVisitor(), { token: await resetTokenOf(id), password })
    expect(await checkClaim(asVisitor(), { urlKey, token: claim })).toEqual({ email: null })
  })

  it('cannot use an older link, one over an hour old or an unknown token, nor the link to set a staff password', async () => {
    const { id } = await makeBuyer(services, publicationId)
    const older = await resetTokenOf(id)
    const token = await resetTokenOf(id)
    await expect(resetBuyerPassword(asVisitor(), { token: older, password })).rejects.toMatchObject(badToken)
    expect(await checkBuyerReset(asVisitor(), { token: 'nothing' })).toEqual({ email: null, urlKey: null })
    expect(await checkReset(asVisitor(), { token })).toBeNull()
    await expect(resetPassword(asVisitor(), { token, password })).rejects.toMatchObject(badToken)
    const { now } = services.clock
    onTestFinished(() => {
      services.clock.now = now
    })
    services.clock.now = new Date(now.getTime() + 3_600_001)
    await expect(resetBuyerPassword(asVisitor(), { token, password })).rejects.toMatchObject(badToken)
  })

  it('can use a link once: of two concurrent requests one succeeds', async () => {
    const { id } = await makeBuyer(services, publicationId)
    const token = await resetTokenOf(id)
    const results = await Promise.allSettled([
      resetBuyerPassword(asVisitor(), { token, password }),
      resetBuyerPassword(asVisitor(), { token, password: `${password}-2` }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
