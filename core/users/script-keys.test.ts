import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { can, permissions, scriptScopes } from '#core/access/permissions.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makeUser } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { deactivateUser } from './deactivate-user.ts'
import { reactivateUser } from './reactivate-user.ts'
import { actorOfScriptKey, addScriptKey, listScriptKeys, revokeScriptKey } from './script-keys.ts'
import { staffActor } from './staff-actor.ts'
import { Users } from './users.rows.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const makePerson = async (fields: Parameters<typeof makeUser>[1] = {}) => {
  const user = await makeUser(services, fields)
  return { user, ctx: services.as(staffActor(user)) }
}
const isAccepted = (key: string) =>
  actorOfScriptKey(services, key).then(
    () => true,
    () => false,
  )

describe('an API key for scripts', () => {
  it('is shown once, stored hashed, announced by email, and ends when it is revoked', async () => {
    const { user, ctx } = await makePerson({ userType: 'pubadmin' })
    const { id, key } = await addScriptKey(ctx, { name: 'Nightly import', scopes: ['import'] })
    expect(JSON.stringify(await services.db.query(`SELECT * FROM script_keys`))).not.toContain(key)
    expect(await listScriptKeys(ctx, {})).toMatchObject([{ id, name: 'Nightly import', lastFour: key.slice(-4) }])
    const notices = (await queuedEmails(services, 'account-notice')).filter(({ about }) => about.userId === user.id)
    expect(notices.map(({ about }) => about.kind)).toEqual(['script-key-made'])
    await expect(addScriptKey(ctx, { name: 'nightly Import', scopes: ['read'] })).rejects.toMatchObject({
      kind: 'conflict',
      fields: { name: 'Another key already has this name' },
    })
    const other = await makePerson()
    expect((await addScriptKey(other.ctx, { name: 'Nightly import', scopes: ['read'] })).id).not.toBe(id)
    await expect(revokeScriptKey(other.ctx, { keyId: id })).rejects.toMatchObject({ kind: 'notFound' })
    await revokeScriptKey(ctx, { keyId: id })
    expect(await isAccepted(key)).toBe(false)
    await addScriptKey(ctx, { name: 'Nightly import', scopes: ['import'] })
  })

  it('does nothing while its user has not set up a required two-step log-in', async () => {
    const { user, ctx } = await makePerson({ userType: 'pubadmin' })
    const { key } = await addScriptKey(ctx, { name: 'Export', scopes: ['export'] })
    const strict = { ...services, settings: { ...services.settings, requireTwoStep: 'all' as const } }
    await expect(actorOfScriptKey(strict, key)).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('Set up two-step log-in in the browser first: '),
    })
    await Users.update(services, { id: user.id }, { twoStepSince: services.now() })
    expect(await actorOfScriptKey(strict, key)).toMatchObject({ kind: 'staff', userId: user.id })
  })

  it('may do what both its scopes and its user’s current role allow, and never create keys', async () => {
    const { user, ctx } = await makePerson({ userType: 'pubadmin' })
    const { key } = await addScriptKey(ctx, { name: 'All', scopes: [...scriptScopes] })
    const byKey = await actorOfScriptKey(services, key)
    const rights = (actor: Actor) =>
      Object.keys(permissions).filter((permission) => can(actor, permission as keyof typeof permissions))
    expect(rights(byKey).filter((right) => !rights(staffActor(user)).includes(right))).toEqual([])
    expect(rights(byKey)).toEqual(
      expect.arrayContaining(['reader:read', 'reader:import', 'reader:export', 'order:read']),
    )
    expect(rights(byKey).filter((right) => /:(write|charge|refund|close|settle|settings)$/.test(right))).toEqual([])
    await expect(addScriptKey(services.as(byKey), { name: 'More', scopes: ['read'] })).rejects.toMatchObject({
      kind: 'denied',
    })
    await Users.update(services, { id: user.id }, { userType: 'mailer' })
    const asMailer = rights(await actorOfScriptKey(services, key))
    expect(asMailer).toContain('mailing-file:make')
    for (const lost of ['reader:read', 'reader:export', 'reader:import']) expect(asMailer).not.toContain(lost)
  })

  it('ends when its user or the publisher is deactivated, and is not restored when they are reactivated', async () => {
    const publisher = await makePerson()
    const staff = await makePerson({ userType: 'admin', parentPublisherId: publisher.user.id })
    const superuser = services.as(await actorOf(services, 'superuser'))
    const { key } = await addScriptKey(staff.ctx, { name: 'Own', scopes: ['read'] })
    await deactivateUser(superuser, { id: publisher.user.id })
    expect(await isAccepted(key)).toBe(false)
    await reactivateUser(superuser, { id: publisher.user.id })
    expect(await isAccepted(key)).toBe(false)
    const { key: next } = await addScriptKey(staff.ctx, { name: 'Next', scopes: ['read'] })
    await deactivateUser(superuser, { id: staff.user.id })
    await reactivateUser(superuser, { id: staff.user.id })
    expect(await isAccepted(next)).toBe(false)
  })

  it('is only for a publisher’s users, and needs a name and a scope', async () => {
    const { ctx } = await makePerson()
    await expect(addScriptKey(ctx, { name: '', scopes: [] })).rejects.toMatchObject({
      fields: { name: 'Required', scopes: 'Choose what the key may do' },
    })
    await expect(addScriptKey(services.as(visitor), { name: 'x', scopes: ['read'] })).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
    for (const userType of ['superuser', 'reseller'] as const) {
      const outsider = services.as(await actorOf(services, userType))
      await expect(addScriptKey(outsider, { name: 'x', scopes: ['read'] })).rejects.toMatchObject({ kind: 'denied' })
    }
    for (const wrong of ['ms_wrong', 'ms_']) expect(await isAccepted(wrong)).toBe(false)
  })
})
