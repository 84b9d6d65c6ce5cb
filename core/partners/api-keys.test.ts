import { beforeAll, describe, expect, it } from 'vitest'
import { bodyOf } from '#core/emails/email-bodies.rows.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import { timeOf } from '#core/kernel/calendar.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makePublication, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { hashToken } from '../access/tokens.ts'
import { Users } from '../users/users.rows.ts'
import { addApiKey } from './add-api-key.ts'
import { checkSubscriber } from './check-subscriber.ts'
import { listApiKeys } from './list-api-keys.query.ts'
import { makeApiKey } from './make-api-key.ts'
import { actorOfApiKey } from './partner-actor.ts'
import { replaceApiKey } from './replace-api-key.ts'
import { revokeApiKey } from './revoke-api-key.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const makeOwnedTitle = async () => {
  const { id, publisherId } = await makePublication(services)
  return { id, publisherId, owner: services.as(await actorOf(services, 'publisher', publisherId)) }
}
const isAccepted = (key: string) =>
  actorOfApiKey(services, key).then(
    () => true,
    () => false,
  )

describe('the first key of a publication', () => {
  it('is stored hashed and encrypted, and shown again only to its publisher', async () => {
    const { id, owner } = await makeOwnedTitle()
    const { key, previousEndsAt } = await makeApiKey(owner, { publicationId: id })
    expect(previousEndsAt).toBeNull()
    const rows = await services.db.query<{ key_hash: string }>(`SELECT * FROM api_keys WHERE publication_id = :id`, {
      id,
    })
    expect(rows.map(({ key_hash }) => key_hash)).toEqual([hashToken(key)])
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(await listApiKeys(owner, { publicationId: id })).toMatchObject([
      { key, name: '', scopes: ['check'], lastFour: key.slice(-4), lastUsedAt: null, expiresAt: null },
    ])
    const stranger = services.as(await actorOf(services, 'publisher'))
    for (const forbidden of [makeApiKey, listApiKeys])
      await expect(forbidden(stranger, { publicationId: id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('is created once on a double click', async () => {
    const { id, owner } = await makeOwnedTitle()
    const first = await makeApiKey(owner, { publicationId: id, ifNone: true })
    expect((await makeApiKey(owner, { publicationId: id, ifNone: true })).key).toBe(first.key)
  })

  it('works for another day alongside its replacement, and an email tells the publisher until when', async () => {
    const { id, owner, publisherId } = await makeOwnedTitle()
    const first = await makeApiKey(owner, { publicationId: id })
    const second = await makeApiKey(owner, { publicationId: id })
    const endsAt = new Date(services.clock.now.getTime() + 24 * 3_600_000)
    expect(second.previousEndsAt).toEqual(endsAt)
    expect([await isAccepted(first.key), await isAccepted(second.key)]).toEqual([true, true])
    await services.clock.runAhead({ hours: 24 }, async () => {
      expect([await isAccepted(first.key), await isAccepted(second.key)]).toEqual([false, true])
      expect(await listApiKeys(owner, { publicationId: id })).toMatchObject([{ key: second.key }])
    })
    const emails = (await queuedEmails(services, 'api-key-notice')).filter((mail) => mail.publisherId === publisherId)
    expect(emails.map(({ about }) => about.kind)).toEqual(['made', 'replaced'])
    const changedAt = timeOf(services.clock.now, services.settings.timeZone)
    await services.clock.runAhead({ hours: 5 }, async () => {
      await sendMail(services.as(system), { mail: 'api-key-notice', about: emails[1]?.about ?? {} })
    })
    const [sent] = await services.db.query<{ id: number; subject: string }>(
      `SELECT id, subject FROM emails WHERE email_key LIKE 'api-key-notice:%:replaced:%' ORDER BY id DESC LIMIT 1`,
    )
    expect(sent?.subject).toContain('An API key was replaced')
    // It shows when the key was replaced, however late it is sent.
    expect((await bodyOf(services, sent?.id ?? 0))?.text).toMatch(new RegExp(`When:.* ${changedAt} `))
  })
})

describe('further keys', () => {
  it('have their own names, keep their scopes when they are replaced, and are revoked at once, even on their last day', async () => {
    const { id, owner } = await makeOwnedTitle()
    const made = await addApiKey(owner, { publicationId: id, name: 'Pocket app', scopes: ['check', 'entitlement'] })
    await expect(addApiKey(owner, { publicationId: id, name: 'Pocket app', scopes: ['check'] })).rejects.toMatchObject({
      kind: 'conflict',
      fields: { name: 'Another key already has this name' },
    })
    await expect(addApiKey(owner, { publicationId: id, name: ' ', scopes: [] })).rejects.toMatchObject({
      fields: { name: 'Required', scopes: 'Choose what the key may do' },
    })
    const next = await replaceApiKey(owner, { keyId: made.id })
    const listed = await listApiKeys(owner, { publicationId: id })
    expect(listed.map(({ key, scopes, expiresAt }) => [key, scopes, expiresAt === null])).toEqual([
      [next.key, ['check', 'entitlement'], true],
      [made.key, ['check', 'entitlement'], false],
    ])
    await expect(replaceApiKey(owner, { keyId: made.id })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await revokeApiKey(owner, { keyId: made.id })).toEqual({ changed: true })
    expect(await revokeApiKey(owner, { keyId: made.id })).toEqual({ changed: false })
    expect([await isAccepted(made.key), await isAccepted(next.key)]).toEqual([false, true])
    const stranger = services.as(await actorOf(services, 'publisher'))
    for (const forbidden of [replaceApiKey, revokeApiKey])
      await expect(forbidden(stranger, { keyId: made.id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('are replaced once by two concurrent users', async () => {
    const { id, owner } = await makeOwnedTitle()
    const made = await addApiKey(owner, { publicationId: id, name: 'App', scopes: ['check'] })
    const both = await Promise.allSettled([1, 2].map(() => replaceApiKey(owner, { keyId: made.id })))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await listApiKeys(owner, { publicationId: id })).length).toBe(2)
  })

  it('do only what their scopes say', async () => {
    const { id, owner } = await makeOwnedTitle()
    const { key } = await addApiKey(owner, { publicationId: id, name: 'Look-up', scopes: ['entitlement'] })
    await expect(
      checkSubscriber(services.as(visitor), { key, email: 'a@example.test', password: 'x' }),
    ).rejects.toMatchObject({ kind: 'denied' })
  })

  it('record their last use once a minute', async () => {
    const { id, owner } = await makeOwnedTitle()
    const { key } = await makeApiKey(owner, { publicationId: id })
    const lastUse = async () => (await listApiKeys(owner, { publicationId: id }))[0]?.lastUsedAt
    const { now } = services.clock
    await actorOfApiKey(services, key)
    await services.clock.runAhead({ seconds: 59 }, async () => {
      await actorOfApiKey(services, key)
    })
    expect(await lastUse()).toEqual(now)
    await services.clock.runAhead({ seconds: 60 }, async () => {
      await actorOfApiKey(services, key)
    })
    expect(await lastUse()).toEqual(new Date(now.getTime() + 60_000))
  })

  it('end with the publication and with its publisher', async () => {
    const { id, owner, publisherId } = await makeOwnedTitle()
    const { key } = await makeApiKey(owner, { publicationId: id })
    await Users.update(services, { id: publisherId }, { isActive: false })
    expect(await isAccepted(key)).toBe(false)
    await Users.update(services, { id: publisherId }, { isActive: true })
    await services.db.run(`UPDATE publications SET removed_at = :now WHERE id = :id`, { id, now: services.clock.now })
    expect(await isAccepted(key)).toBe(false)
  })
})
