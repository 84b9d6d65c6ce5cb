import { describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { contextFor } from '#core/context.ts'
import { makePublication, makeUser, operator } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { checkEmail } from './check-email.query.ts'
import { deactivateUser } from './deactivate-user.ts'
import { publisherContact } from './publisher-contact.query.ts'

const services = await openTestServices()

describe('checking whether an email is free', () => {
  it('answers whatever the case of the email, with a limit', async () => {
    const user = await makeUser(services, { email: 'Someone@Example.test' })
    const ctx = contextFor(services, visitor, { entryPoint: 'test', address: '192.0.2.9' })
    await expect(checkEmail(ctx, { email: 'free@example.test' })).resolves.toBeUndefined()
    await expect(checkEmail(ctx, { email: user.email.toUpperCase() })).rejects.toMatchObject({
      kind: 'conflict',
      fields: { email: 'That email is already taken' },
    })
    await expect(checkEmail(ctx, { email: 'nonsense' })).rejects.toMatchObject({
      fields: { email: 'Invalid email address' },
    })
    for (let n = 0; n < 28; n++) await checkEmail(ctx, { email: `free${n}@example.test` })
    await expect(checkEmail(ctx, { email: 'free@example.test' })).rejects.toMatchObject({ kind: 'tooMany' })
  })
})

describe("a publisher's contact", () => {
  it('is public while it has an open storefront, without its own email or secrets', async () => {
    const publisher = await makeUser(services, { email: 'private@example.test' })
    await services.db.run(
      `UPDATE accounts SET email_address = 'desk@example.test', address_one = '1 Quay Street', stripe_publishable_key = 'pk_test_1', stripe_secret_key = 'sealed' WHERE user_id = :id`,
      { id: publisher.id },
    )
    const contact = () => publisherContact(services.as(visitor), { id: publisher.id })
    await expect(contact()).rejects.toMatchObject({ kind: 'notFound' })
    await makePublication(services, { publisherId: publisher.id })
    expect(await contact()).toMatchObject({ addressOne: '1 Quay Street', stripePublishableKey: 'pk_test_1' })
    const text = JSON.stringify(await contact())
    expect(text).not.toMatch(/@|private|sealed/i)
    await deactivateUser(services.as(operator), { id: publisher.id })
    await expect(contact()).rejects.toMatchObject({ kind: 'notFound' })
    const reseller = await makeUser(services, { userType: 'reseller' })
    await expect(publisherContact(services.as(visitor), { id: reseller.id })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })
})
