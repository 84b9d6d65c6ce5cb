import { beforeAll, expect, it } from 'vitest'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import type { Actor } from '../access/actor.ts'
import { removeReader } from './remove-reader.ts'
import { removedReader } from './removed-reader.query.ts'

const services = await openTestServices()
let publicationId: number
let publisher: Actor
let stranger: Actor

beforeAll(async () => {
  const publication = await makePublication(services)
  publicationId = publication.id
  publisher = await actorOf(services, 'publisher', publication.publisherId)
  stranger = await actorOf(services, 'publisher')
})

const find = (actor: Actor, which: object) => removedReader(services.as(actor), which)
const notFound = { kind: 'notFound', message: 'The reader was not found' }

it('shows who removed a reader and when, and nothing to other publishers', async () => {
  services.clock.now = new Date('2026-11-21T10:00:00Z')
  const id = await makeReader(services, publicationId)
  await removeReader(services.as(publisher), { id })
  const [user] = await services.db.query<{ first_name: string; last_name: string }>(
    `SELECT first_name, last_name FROM users WHERE id = :id`,
    { id: publisher.kind === 'staff' ? publisher.userId : 0 },
  )
  expect(await find(publisher, { id })).toEqual({
    id,
    publicationId,
    removedBy: `${user?.first_name} ${user?.last_name}`,
    removedAt: services.clock.now,
  })
  await expect(find(stranger, { id })).rejects.toMatchObject(notFound)
  await expect(find(stranger, { id, publicationId })).rejects.toMatchObject(notFound)
})

it('trusts the form’s publication only if it is the user’s own', async () => {
  const gone = { publicationId, removedBy: null, removedAt: null }
  expect(await find(publisher, { id: 999_999, publicationId })).toEqual({ id: 999_999, ...gone })
  await expect(find(publisher, { id: 999_999 })).rejects.toMatchObject(notFound)
  await expect(find(stranger, { id: 999_999, publicationId })).rejects.toMatchObject(notFound)
  // Another publisher's reader is indistinguishable from none.
  const { id: theirs } = await makePublication(services)
  const id = await makeReader(services, theirs)
  expect(await find(publisher, { id, publicationId })).toEqual({ id, ...gone })
  await expect(find(publisher, { id })).rejects.toMatchObject(notFound)
  await expect(find(publisher, { id, publicationId: theirs })).rejects.toMatchObject(notFound)
})
