import { beforeAll, expect, it } from 'vitest'
import { actorOf, makeUser, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { findStaffActor } from './find-staff-actor.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

it('finds an active user whatever the case of the email, for the operator only', async () => {
  const user = await makeUser(services, { userType: 'mailer', email: 'Post@Example.test' })
  const found = await findStaffActor(services.as(operator), { email: ' post@EXAMPLE.test ' })
  expect(found).toMatchObject({
    kind: 'staff',
    userId: user.id,
    userType: 'mailer',
    publisherId: user.parentPublisherId,
  })
  await makeUser(services, { email: 'gone@example.test', isActive: false })
  await expect(findStaffActor(services.as(operator), { email: 'gone@example.test' })).rejects.toMatchObject({
    kind: 'notFound',
    hint: expect.stringContaining('The user is deactivated'),
  })
  const publisher = await makeUser(services, { isActive: false })
  await makeUser(services, { userType: 'mailer', email: 'clerk@example.test', parentPublisherId: publisher.id })
  await expect(findStaffActor(services.as(operator), { email: 'clerk@example.test' })).rejects.toMatchObject({
    kind: 'notFound',
    hint: expect.stringContaining('The user’s publisher is deactivated'),
  })
  await expect(findStaffActor(services.as(operator), { email: 'nobody@example.test' })).rejects.toMatchObject({
    kind: 'notFound',
  })
  const superuser = await actorOf(services, 'superuser')
  await expect(findStaffActor(services.as(superuser), { email: 'post@example.test' })).rejects.toMatchObject({
    kind: 'denied',
  })
})
