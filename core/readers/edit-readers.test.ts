import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { actorOf, makeBuyer, makePublication, operator } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import type { Actor } from '../access/actor.ts'
import { liveBuyer } from '../buyers/live-buyer.ts'
import { ownReader } from '../buyers/own-readers.query.ts'
import { cleanUp } from '../maintenance/clean-up.ts'
import { addReader } from './add-reader.ts'
import { deactivateReader } from './deactivate-reader.ts'
import { editReader } from './edit-reader.ts'
import { getReader } from './get-reader.query.ts'
import { newReaderForm } from './new-reader-form.ts'
import { reactivateReader } from './reactivate-reader.ts'
import { readersVersion } from './reader-editions.rows.ts'
import { Readers } from './readers.rows.ts'
import { removeReader } from './remove-reader.ts'
import { restoreReader } from './restore-reader.ts'

const services = await openTestServices()
let publicationId: number
let publisher: Actor
let stranger: Actor

beforeAll(async () => {
  const publication = await makePublication(services, {
    publicationName: 'Harbour Light',
    questionA: 'May we write to you?',
    questionC: 'Where did you hear of us?',
  })
  publicationId = publication.id
  publisher = await actorOf(services, 'publisher', publication.publisherId)
  stranger = await actorOf(services, 'publisher')
})

beforeEach(() => {
  services.clock.now = new Date('2026-11-21T10:00:00Z')
})

const asPublisher = () => services.as(publisher)
const add = (fields: object) => addReader(asPublisher(), { publicationId, lastName: 'Finch', ...fields })
const addedId = async (fields: object = {}) => (await add(fields)).id ?? 0
const edit = (fields: object, actor = publisher) => editReader(services.as(actor), fields)

describe('adding a reader', () => {
  it('stores every field, fills in defaults, and writes keys, history and log', async () => {
    const id = await addedId({
      title: 'Ms.',
      firstName: 'Ida',
      email: 'Ida@Finch.test',
      postCode: 'sw1a1aa',
      country: 'united kingdom',
      subType: 'Print',
      subStartOn: '1-2-2026',
      subEndOn: '31 Jan 2027',
      subPaid: '$10.50',
      pubOffers: 'false',
      answerA: 'yes',
      answerC: 'A friend',
    })
    expect(await readerRow(services, id)).toMatchObject({
      full_name: 'Ms. Ida Finch',
      key_name: 'ms ida finch',
      key_email: 'ida@finch.test',
      post_code: 'SW1A 1AA',
      key_post_code: 'SW1A1AA',
      post_code_state: 'ok',
      country: 'GB',
      sub_type: 'print',
      sub_start_on: '2026-02-01',
      sub_end_on: '2027-01-31',
      sub_renew_on: '2100-01-01',
      sub_currency: 'USD',
      answer_a: 'Yes',
      answer_c: 'A friend',
      origin: 'staff',
      version: 1,
    })
    const reader = await getReader(asPublisher(), { id })
    expect(reader.subscription.paid).toEqual({ amount: 1050, currency: 'USD' })
    expect(reader).toMatchObject({ pubOffers: false, pubOffersPost: true, partnerOffersSms: true })
    expect(reader.history).toMatchObject([
      { kind: 'added', subType: 'print', startOn: '2026-02-01', paid: { amount: 1050, currency: 'USD' } },
    ])
    expect(reader.modifiedBy).toMatch(/^Ada Tester/)
    const [log] = await services.db.query(
      `SELECT subject_id, publisher_id FROM audit_log WHERE action = 'add-reader' ORDER BY id DESC LIMIT 1`,
    )
    expect(log).toMatchObject({ subject_id: id })
  })

  it('refuses text in the wrong encoding, under its field, but not what is stored already', async () => {
    await expect(add({ firstName: 'ZoÃ«', city: 'BesanÃ§on', lastName: 'JOÃO' })).rejects.toMatchObject({
      fields: { firstName: expect.stringContaining('“Zoë”'), city: expect.stringContaining('“Besançon”') },
    })
    const id = await addedId()
    await services.db.run(`UPDATE readers SET city = 'BesanÃ§on' WHERE id = :id`, { id })
    expect(await edit({ id, firstName: 'Ann', city: 'BesanÃ§on' })).toMatchObject({
      changed: ['firstName', 'fullName'],
    })
  })

  it('stores control characters as a space', async () => {
    const id = await addedId({ lastName: 'Lee\u0081Kay\u0007', firstName: 'Ida\tMay', city: 'Ely\u0085' })
    expect(await readerRow(services, id)).toMatchObject({ last_name: 'Lee Kay', first_name: 'Ida May', city: 'Ely' })
  })

  it('takes a reference that looks like another one for the same', async () => {
    const id = await addedId({ uniqueReference: 'Zoe\u0301-\u200b1' })
    expect(await readerRow(services, id)).toMatchObject({ unique_reference: 'Zo\u00e9-1' })
    await expect(add({ uniqueReference: 'Zo\u00e9-1\ufeff' })).rejects.toMatchObject({
      fields: { uniqueReference: expect.stringContaining('Another reader') },
    })
    expect(await edit({ id, uniqueReference: 'Zoe\u0301-1', city: 'Ely' })).toMatchObject({ changed: ['city'] })
  })

  it('stores an email in full-width characters as ordinary ones', async () => {
    const id = await addedId({ email: ' ａｎｎ１＠ｅｘａｍｐｌｅ．ｏｒｇ ' })
    expect(await readerRow(services, id)).toMatchObject({ email: 'ann1@example.org' })
  })

  it('uses the suggested reference, or the next one if it was taken meanwhile', async () => {
    const { referenceOffered } = await newReaderForm(asPublisher(), { publicationId })
    expect(referenceOffered).toMatch(/^HL\d{7}$/)
    expect(await newReaderForm(asPublisher(), { publicationId })).toMatchObject({ referenceOffered })
    const typed = { uniqueReference: referenceOffered, referenceOffered }
    expect(await add(typed)).toMatchObject({ uniqueReference: referenceOffered })
    const secondReader = await add(typed)
    expect(secondReader.uniqueReference).toMatch(/^HL\d{7}$/)
    expect(secondReader.uniqueReference).not.toBe(referenceOffered)
    expect((await newReaderForm(asPublisher(), { publicationId })).referenceOffered).not.toBe(
      secondReader.uniqueReference,
    )
  })

  it('refuses a taken reference under its field, with all other errors', async () => {
    await add({ uniqueReference: 'OWN-1' })
    await expect(
      add({
        uniqueReference: 'OWN-1',
        email: 'nonsense',
        country: 'Atlantis',
        subStartOn: '31/02/2026',
        subPaid: '1.234,50',
        subType: 'paper',
        pubOffers: 'perhaps',
        firstName: 'x'.repeat(101),
        webAddress: 'no address',
        answerA: 'maybe',
        answerB: 'Yes',
      }),
    ).rejects.toMatchObject({
      kind: 'invalid',
      fields: {
        uniqueReference: expect.stringMatching(/Another reader/),
        email: 'Invalid email address',
        country: 'Choose a country from the list',
        subStartOn: 'Must be a date such as 31-12-2026',
        subPaid: 'Must be an amount such as 10.50',
        subType: 'Must be print, digital or bundle',
        pubOffers: 'Must be true or false',
        firstName: 'Must be 100 characters or fewer',
        webAddress: 'Invalid Web address',
        answerA: 'Must be Yes or No',
        answerB: 'This publication asks no question B',
      },
    })
    await expect(add({ lastName: '', subStartOn: '2-1-2026', subEndOn: '1-1-2026' })).rejects.toMatchObject({
      fields: { lastName: 'Enter a name, a company or an email', subEndOn: 'Must not be before the start date' },
    })
    // A blank day counts as the day it is stored as.
    const early = { fields: { subEndOn: 'Must not be before 01/01/1970' } }
    const late = { fields: { subStartOn: 'Must not be after 01/01/2100' } }
    await expect(add({ subEndOn: '31-05-1969' })).rejects.toMatchObject(early)
    await expect(add({ subStartOn: '', subEndOn: '31-05-1969' })).rejects.toMatchObject(early)
    await expect(add({ subStartOn: '02-01-2101' })).rejects.toMatchObject(late)
    await expect(add({ subStartOn: '02-01-2101', subEndOn: null })).rejects.toMatchObject(late)
  })

  it('keeps an end before its start that was stored earlier, when a form sends both as they are', async () => {
    const id = await makeReader(services, publicationId, {
      lastName: 'Moss',
      subStartOn: '1970-01-01',
      subEndOn: '1900-01-01',
    })
    const form = { id, lastName: 'Moss', telephone: '01843 1', subStartOn: '', subEndOn: '01/01/1900' }
    await editReader(services.as(publisher), form)
    expect(await readerRow(services, id)).toMatchObject({ telephone: '01843 1', sub_end_on: '1900-01-01' })
    const early = { fields: { subEndOn: 'Must not be before 01/01/1970' } }
    await expect(editReader(services.as(publisher), { ...form, subEndOn: '02/01/1900' })).rejects.toMatchObject(early)
  })

  it('is for users who may write their own readers', async () => {
    const body = { publicationId, lastName: 'Finch' }
    await expect(addReader(services.as(stranger), body)).rejects.toMatchObject({ kind: 'notFound' })
    // Authorisation is checked before the fields.
    await expect(addReader(services.as(stranger), { ...body, subType: 'paper' })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(addReader(services.as(await actorOf(services, 'mailer')), body)).rejects.toMatchObject({
      kind: 'denied',
    })
  })
})

describe('editing a reader', () => {
  it('changes the given fields and keeps the rest, with the old values in the history', async () => {
    const id = await addedId({ firstName: 'Ida', email: 'ida@x.test', subType: 'print', subEndOn: '2026-12-31' })
    const edition = await readersVersion(services.db, publicationId)
    const edited = await edit({ id, subEndOn: '31-12-2027', subPaid: '20', pubOffers: false })
    expect(edited).toMatchObject({ version: 2, changed: expect.arrayContaining(['subEndOn', 'subPaid', 'pubOffers']) })
    const reader = await getReader(asPublisher(), { id })
    expect(reader).toMatchObject({ email: 'ida@x.test', subscription: { type: 'print', endOn: '2027-12-31' } })
    expect(reader.history[0]).toMatchObject({
      kind: 'edited',
      subType: 'print',
      endOn: '2027-12-31',
      paid: { amount: 2000, currency: 'GBP' },
      note: expect.stringContaining('End date'),
      by: expect.stringMatching(/^Ada/),
    })
    const [event] = await services.db.query<{ before: unknown }>(
      `SELECT before FROM reader_events WHERE reader_id = :id AND kind = 'edited'`,
      { id },
    )
    const before = typeof event?.before === 'string' ? JSON.parse(event.before) : event?.before
    expect(before).toEqual({ subEndOn: '2026-12-31', subPaid: null, pubOffers: true })
    expect(await readersVersion(services.db, publicationId)).toBeGreaterThan(edition)
  })

  it('does nothing when nothing differs', async () => {
    const id = await addedId({ firstName: 'Ida' })
    expect(await edit({ id, firstName: ' Ida ' })).toEqual({ id, version: 1, changed: [] })
    expect((await getReader(asPublisher(), { id })).history).toHaveLength(1)
  })

  it('stores a British postcode in its usual form, and leaves one that was stored otherwise until it is changed', async () => {
    const id = await addedId({ postCode: 'yo1  7hh' })
    expect(await readerRow(services, id)).toMatchObject({ post_code: 'YO1 7HH' })
    expect(await edit({ id, postCode: 'yo17hh' })).toMatchObject({ changed: [] })
    await edit({ id, postCode: 'ba11aa' })
    expect(await readerRow(services, id)).toMatchObject({ post_code: 'BA1 1AA' })
    await edit({ id, postCode: '1234 ab', country: 'NL' })
    expect(await readerRow(services, id)).toMatchObject({ post_code: '1234 ab' })
    await Readers.update(services, { id }, { postCode: 'tr113lh', country: 'GB' })
    expect(await edit({ id, postCode: 'tr113lh', telephone: '1' })).toMatchObject({ changed: ['telephone'] })
  })

  it('keeps a generated full name in step with its parts, and a typed one unchanged', async () => {
    const withGeneratedName = await addedId({ firstName: 'Ida' })
    await edit({ id: withGeneratedName, lastName: 'Wren', fullName: 'Ida Finch' })
    expect((await getReader(asPublisher(), { id: withGeneratedName })).fullName).toBe('Ida Wren')
    const withTypedName = await addedId({ firstName: 'Ida', fullName: 'The Finch Family' })
    await edit({ id: withTypedName, lastName: 'Wren', fullName: 'The Finch Family' })
    expect((await getReader(asPublisher(), { id: withTypedName })).fullName).toBe('The Finch Family')
  })

  it('refuses to overwrite a concurrent change, and names its author', async () => {
    const id = await addedId({ firstName: 'Ida', telephone: '1' })
    await edit({ id, version: 1, telephone: '22' })
    await expect(edit({ id, version: 1, telephone: '333', firstName: 'Ada' })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(
        /^This reader was changed by Ada Tester \d+ at [\d/]{10} \d\d:\d\d, after you opened it/,
      ),
      fields: { telephone: 'Is now “22”', firstName: 'Is now “Ida”' },
    })
    expect((await getReader(asPublisher(), { id })).telephone).toBe('22')
    expect(await edit({ id, version: 2, telephone: '333' })).toMatchObject({ version: 3 })
  })

  it('twice at once succeeds once', async () => {
    const id = await addedId({ firstName: 'Ida' })
    const outcomes = await Promise.allSettled([
      edit({ id, version: 1, telephone: '1' }),
      edit({ id, version: 1, telephone: '2' }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('accepts old values that it would no longer accept as new', async () => {
    const id = await makeReader(services, publicationId, {
      webAddress: 'see brochure',
      answerB: 'whatever',
      subStartOn: '2027-01-01',
      subEndOn: '2026-01-01',
    })
    const storedValues = {
      webAddress: 'see brochure',
      answerB: 'whatever',
      subStartOn: '01-01-2027',
      subEndOn: '01-01-2026',
    }
    expect(await edit({ id, ...storedValues, telephone: '5' })).toMatchObject({ changed: ['telephone'] })
  })

  it('refuses a taken or missing reference, another publication, and other publishers’ readers', async () => {
    const id = await addedId({ uniqueReference: 'E-1' })
    await addedId({ uniqueReference: 'E-2' })
    const taken = { fields: { uniqueReference: expect.stringMatching(/Another reader/) } }
    await expect(edit({ id, uniqueReference: 'E-2' })).rejects.toMatchObject(taken)
    await expect(edit({ id, uniqueReference: '' })).rejects.toMatchObject({ fields: { uniqueReference: 'Required' } })
    await expect(edit({ id, publicationId: publicationId + 1, telephone: '1' })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(edit({ id, subType: 'paper' }, stranger)).rejects.toMatchObject({ kind: 'notFound' })
    await expect(edit({ id: 'x' })).rejects.toMatchObject({ kind: 'notFound' })
  })
})

describe('deactivating, reactivating, removing', () => {
  it('deactivates and reactivates, once each', async () => {
    const id = await addedId()
    expect(await deactivateReader(asPublisher(), { id })).toEqual({ id, publicationId, changed: true })
    expect(await deactivateReader(asPublisher(), { id })).toMatchObject({ changed: false })
    expect((await getReader(asPublisher(), { id })).isDeleted).toBe(true)
    expect(await reactivateReader(asPublisher(), { id })).toMatchObject({ changed: true })
    const { isDeleted, version, history } = await getReader(asPublisher(), { id })
    expect({ isDeleted, version }).toEqual({ isDeleted: false, version: 3 })
    expect(history.map(({ kind }) => kind)).toEqual(['reactivated', 'deactivated', 'added'])
    for (const action of [deactivateReader, reactivateReader, removeReader]) {
      await expect(action(services.as(stranger), { id })).rejects.toMatchObject({ kind: 'notFound' })
    }
  })

  it('removes a reader and restores it unchanged, with its account', async () => {
    const id = await addedId({ email: 'keep@x.test', subPaid: '5', answerC: 'näh' })
    const buyer = await makeBuyer(services, publicationId, { email: 'keep@x.test' })
    await services.db.run(`UPDATE readers SET buyer_id = :buyer WHERE id = :id`, { id, buyer: buyer.id })
    const before = await readerRow(services, id)
    const account = () => liveBuyer(services, { id: buyer.id })
    await removeReader(asPublisher(), { id })
    expect(await readerRow(services, id)).toBeUndefined()
    const row = await account()
    expect(row && (await ownReader(asPublisher(), row))).toBeNull()
    const unknown = await restoreReader(services.as(stranger), { id: 999_999_999 }).catch(
      (error: Error) => error.message,
    )
    await expect(restoreReader(services.as(stranger), { id })).rejects.toMatchObject({
      kind: 'notFound',
      message: unknown,
    })
    await restoreReader(asPublisher(), { id })
    expect(await readerRow(services, id)).toEqual(before)
    expect(row && (await ownReader(asPublisher(), row))).toMatchObject({ id })
    await expect(restoreReader(asPublisher(), { id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('does not restore a reader whose reference was reused', async () => {
    const id = await addedId({ uniqueReference: 'GONE-1' })
    await removeReader(asPublisher(), { id })
    await add({ uniqueReference: 'GONE-1' })
    await expect(restoreReader(asPublisher(), { id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('deletes removed readers after thirty days', async () => {
    const id = await addedId()
    await removeReader(asPublisher(), { id })
    services.clock.now = new Date('2026-12-20T10:00:00Z')
    await cleanUp(services.as(operator), {})
    expect(await services.db.query(`SELECT 1 FROM removed_readers WHERE reader_id = :id`, { id })).toHaveLength(1)
    services.clock.now = new Date('2026-12-22T10:00:00Z')
    await cleanUp(services.as(operator), {})
    await expect(restoreReader(asPublisher(), { id })).rejects.toMatchObject({ kind: 'notFound' })
  })
})
