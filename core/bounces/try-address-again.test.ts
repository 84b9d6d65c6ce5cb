import { beforeEach, expect, it } from 'vitest'
import { Publications } from '#core/publications/publications.rows.ts'
import { editReader } from '#core/readers/edit-reader.ts'
import { searchReaders } from '#core/readers/search-readers.query.ts'
import { actorOf, makePublication, makeUser, operator } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { Emails } from '../emails/emails.rows.ts'
import { countWarnings } from '../warnings/count-warnings.query.ts'
import { AddressMarks, installationPublisherId } from './address-marks.rows.ts'
import { deliveryFigures } from './delivery-figures.query.ts'
import { publicationMarks, readerMarks, userMarks } from './reader-marks.query.ts'
import { recordDeliveryEvent } from './record-delivery-event.ts'
import {
  tryInstallationAddress,
  tryPublicationAddresses,
  tryReaderAddress,
  tryUserAddress,
} from './try-address-again.ts'

const services = await openTestServices()
let publication: Awaited<ReturnType<typeof makePublication>>
let staff: ReturnType<typeof services.as>
let sequence = 0

beforeEach(async () => {
  publication = await makePublication(services)
  staff = services.as(await actorOf(services, 'publisher', publication.publisherId))
})

/** A hard bounce of an email that was sent now. */
const bounce = (address: string, publicationId: number | null = publication.id) => {
  const mail = { id: ++sequence, publicationId, toAddress: address, sentAt: services.now() }
  const event = { key: `test:${sequence}`, kind: 'hard' as const, at: null, status: '5.1.1', answer: '550 5.1.1 Gone' }
  return services.db.transaction(() => recordDeliveryEvent(staff, mail, { ...event, address }))
}
const auditedSubjects = async () =>
  (
    await services.db.query<{ subject_type: string }>(
      `SELECT subject_type FROM audit_log WHERE action = 'try-address' ORDER BY id DESC`,
    )
  ).map(({ subject_type: type }) => type)

it('a reader’s mark is shown with the server’s reply, counted, and removed by staff', async () => {
  const id = await makeReader(services, publication.id, { email: 'Ann@example.net' })
  const countBounced = async () =>
    (await countWarnings(staff, { publicationId: publication.id, lists: ['bouncedemails'] })).bouncedemails
  expect(await readerMarks(staff, { id })).toEqual([])
  expect(await countBounced()).toBe(0)
  const at = services.now()
  await bounce('ann@example.net')
  expect(await readerMarks(staff, { id })).toEqual([
    { address: 'Ann@example.net', bouncedAt: at, complainedAt: null, status: '5.1.1', answer: '550 5.1.1 Gone' },
  ])
  expect(await countBounced()).toBe(1)
  expect((await searchReaders(staff, { publicationId: publication.id })).rows).toMatchObject([
    { id, emailBounces: true },
  ])
  services.clock.advance({ minutes: 1 })
  expect(await tryReaderAddress(staff, { id })).toEqual({ changed: true })
  expect(await readerMarks(staff, { id })).toEqual([])
  expect(await countBounced()).toBe(0)
  expect((await searchReaders(staff, { publicationId: publication.id })).rows).toMatchObject([
    { id, emailBounces: false },
  ])
  expect(await auditedSubjects()).toEqual(['reader'])
  expect(await tryReaderAddress(staff, { id })).toEqual({ changed: false })
  expect(await auditedSubjects()).toEqual(['reader'])
})

it('once the address is tried again, a report about an earlier email no longer counts, and one about a later email does', async () => {
  const id = await makeReader(services, publication.id, { email: 'ann@example.net' })
  const earlierMail = {
    id: ++sequence,
    publicationId: publication.id,
    toAddress: 'ann@example.net',
    sentAt: services.now(),
  }
  await bounce('ann@example.net')
  services.clock.advance({ minutes: 1 })
  await tryReaderAddress(staff, { id })
  services.clock.advance({ minutes: 1 })
  const event = { key: 'late', kind: 'hard' as const, at: null, status: '', answer: '550 Gone' }
  await services.db.transaction(() => recordDeliveryEvent(staff, earlierMail, { ...event, address: 'ann@example.net' }))
  expect(await readerMarks(staff, { id })).toEqual([])
  await bounce('ann@example.net')
  expect(await readerMarks(staff, { id })).toHaveLength(1)
})

it('correcting the address removes the mark from the reader; the previous address keeps it', async () => {
  const id = await makeReader(services, publication.id, { email: 'ann@example.net' })
  await bounce('ann@example.net')
  const { version } = (await readerRow(services, id)) as { version: number }
  await editReader(staff, { id, version, email: 'ann@example.org' })
  expect(await readerMarks(staff, { id })).toEqual([])
  const [mark] = await services.db.query(`SELECT bounced_at FROM address_marks WHERE address_key = 'ann@example.net'
    AND publisher_id = ${publication.publisherId} AND bounced_at IS NOT NULL`)
  expect(mark).toBeDefined()
})

it('a reader’s mark is hidden from other publishers, who cannot change it', async () => {
  const id = await makeReader(services, publication.id, { email: 'ann@example.net' })
  await bounce('ann@example.net')
  const stranger = services.as(await actorOf(services, 'publisher'))
  await expect(readerMarks(stranger, { id })).rejects.toMatchObject({ kind: 'notFound' })
  await expect(tryReaderAddress(stranger, { id })).rejects.toMatchObject({ kind: 'notFound' })
  const otherPublication = await makePublication(services)
  const otherReaderId = await makeReader(services, otherPublication.id, { email: 'ann@example.net' })
  const otherStaff = services.as(await actorOf(services, 'publisher', otherPublication.publisherId))
  expect(await readerMarks(otherStaff, { id: otherReaderId })).toEqual([])
})

it('staff’s own addresses are marked too', async () => {
  const user = await makeUser(services, {
    userType: 'admin',
    parentPublisherId: publication.publisherId,
    email: `admin${sequence}@example.net`,
  })
  await bounce(user.email, null)
  expect(
    await AddressMarks.find(services, { publisherId: installationPublisherId, addressKey: user.email }),
  ).not.toBeNull()
  expect(await userMarks(staff, { id: user.id })).toMatchObject([{ address: user.email, answer: '550 5.1.1 Gone' }])
  services.clock.advance({ minutes: 1 })
  expect(await tryUserAddress(staff, { id: user.id })).toEqual({ changed: true })
  expect(await userMarks(staff, { id: user.id })).toEqual([])
  const stranger = services.as(await actorOf(services, 'publisher'))
  await expect(userMarks(stranger, { id: user.id })).rejects.toMatchObject({ kind: 'notFound' })
})

it('the marks of a publication’s own addresses are shown, and removed by its staff', async () => {
  const own = { orderEmailAddress: 'Orders@quay.test', ccEmail: 'warehouse@quay.test' }
  await Publications.update(services, { id: publication.id }, own)
  const id = publication.id
  expect(await publicationMarks(staff, { id })).toEqual([])
  await bounce('orders@quay.test')
  await bounce('warehouse@quay.test')
  expect((await publicationMarks(staff, { id })).map(({ address }) => address)).toEqual([
    'Orders@quay.test',
    'warehouse@quay.test',
  ])
  const stranger = services.as(await actorOf(services, 'publisher'))
  await expect(publicationMarks(stranger, { id })).rejects.toMatchObject({ kind: 'notFound' })
  await expect(tryPublicationAddresses(stranger, { id })).rejects.toMatchObject({ kind: 'notFound' })
  expect(await tryPublicationAddresses(staff, { id })).toEqual({ changed: true })
  expect(await publicationMarks(staff, { id })).toEqual([])
  expect(await auditedSubjects()).toContain('publication')
  expect(await tryPublicationAddresses(staff, { id })).toEqual({ changed: false })
})

it('an address that only the installation writes to is tried again by its operator', async () => {
  await bounce('desk@masthead.test', null)
  const findMark = () =>
    AddressMarks.find(services, { publisherId: installationPublisherId, addressKey: 'desk@masthead.test' })
  await expect(tryInstallationAddress(staff, { address: 'desk@masthead.test' })).rejects.toMatchObject({
    kind: 'denied',
  })
  const operatorCtx = services.as(operator)
  expect(await tryInstallationAddress(operatorCtx, { address: ' Desk@masthead.test' })).toEqual({ changed: true })
  expect(await findMark()).toMatchObject({ bouncedAt: null, resetAt: services.now() })
  expect(await tryInstallationAddress(operatorCtx, { address: 'desk@masthead.test' })).toEqual({ changed: false })
})

it('staff see how many emails of a publication bounced, each counted once', async () => {
  const none = { hard: 0, soft: 0, blocked: 0, complaint: 0 }
  const figures = () => deliveryFigures(staff, { publicationId: publication.id })
  expect(await figures()).toEqual(none)
  const emailId = await Emails.insert(services, {
    emailKey: `figures:${++sequence}`,
    template: 'order-receipt',
    publicationId: publication.id,
    subject: 'x',
    toAddress: 'ann@example.net',
    messageId: `<figures.${sequence}@x>`,
    state: 'sent',
    sentAt: services.now(),
  })
  const mail = { id: emailId, publicationId: publication.id, toAddress: 'ann@example.net', sentAt: services.now() }
  const event = { at: null, status: '', answer: '', address: mail.toAddress }
  for (const [key, kind] of Object.entries({ a: 'hard', b: 'hard', c: 'complaint' } as const))
    await services.db.transaction(() => recordDeliveryEvent(staff, mail, { ...event, kind, key: `${emailId}:${key}` }))
  expect(await figures()).toEqual({ ...none, hard: 1, complaint: 1 })
  services.clock.advance({ days: 31 })
  expect(await figures()).toEqual(none)
  const stranger = services.as(await actorOf(services, 'publisher'))
  await expect(deliveryFigures(stranger, { publicationId: publication.id })).rejects.toMatchObject({ kind: 'notFound' })
})
