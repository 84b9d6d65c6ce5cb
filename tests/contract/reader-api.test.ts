import { beforeAll, describe, expect, it } from 'vitest'
import { AddressMarks } from '#core/bounces/address-marks.rows.ts'
import { makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { type ApiFixture, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
let token: string
beforeAll(async () => {
  fixture = await openApiFixture()
  token = fixture.tokens.publisher
})

const call = async (method: string, path: string, body?: object, authToken = token) => {
  const response = await callApi(fixture, method, `/subscriber${path}`, { token: authToken, ...(body ? { body } : {}) })
  return { status: response.status, body: JSON.parse(await response.text()) as Record<string, unknown> }
}
const add = (fields: object) => call('POST', '', { publicationID: fixture.mine.publicationId, ...fields })

describe('a search by the API', () => {
  it('refuses what it cannot search for, instead of ignoring it', async () => {
    const search = { publicationID: fixture.mine.publicationId, lastname: 'Gwynne', surname: 'Gwynne' }
    const refused = await call('POST', '/search', search)
    expect(refused).toEqual({
      status: 422,
      body: {
        lastname: { message: 'There is no such parameter. Did you mean “lastName”?' },
        surname: {
          message: expect.stringMatching(/^There is no such parameter\. Its parameters are publicationID, lastName, /),
        },
      },
    })
    const list = await call('GET', `/nopostcode/${fixture.mine.publicationId}?pages=2`)
    expect(list).toEqual({
      status: 422,
      body: { pages: { message: 'There is no such parameter. Did you mean “page”?' } },
    })
  })
})

describe('a reader by the API', () => {
  it('is added with the short names, read back with the long ones, changed in part', async () => {
    const created = await add({
      firstName: 'Nell',
      lastName: 'Gwynne',
      postZip: 'tr11 3lh',
      type: 'bundle',
      sd: '01-02-2026',
      ed: '2027-01-31',
      rd: '',
      paid: '12.50',
      pubOffersSMS: false,
    })
    expect(created).toMatchObject({ status: 201, body: { uniqueReference: expect.stringMatching(/^MM\d{7}$/) } })
    const path = `/sub/${created.body._id}`
    const reader = (await call('GET', path)).body
    expect(reader).toMatchObject({
      _id: created.body._id,
      publication: fixture.mine.publicationId,
      fullName: 'Nell Gwynne',
      postCode: 'TR11 3LH',
      subType: 'bundle',
      subStartDate: '2026-02-01',
      subEndDate: '2027-01-31',
      subRenewDate: '2100-01-01',
      subPaid: '12.50',
      currency: 'GBP',
      pubOffers: true,
      pubOffersSMS: false,
      origin: 'staff',
      version: 1,
    })
    expect(Object.keys(reader)).not.toContain('keyName')
    expect(reader.modifiedBy).toBe('Ada Mackerel')
    const changed = await call('POST', '/update', { id: created.body._id, version: 1, telephone: '5', subPaid: '' })
    expect(changed).toEqual({ status: 200, body: { _id: created.body._id, version: 2 } })
    expect((await call('GET', path)).body).toMatchObject({ telephone: '5', subPaid: null, fullName: 'Nell Gwynne' })
    const outdated = await call('POST', '/update', { id: created.body._id, version: 1, telephone: '6', postZip: 'X' })
    expect(outdated).toMatchObject({
      status: 409,
      body: { telephone: { message: 'Is now “5”' }, postZip: { message: 'Is now “TR11 3LH”' } },
    })
  })

  it('shows that its email bounces, in the record and in a search, only to this publisher', async () => {
    const { _id } = (await add({ lastName: 'Bouncer', email: 'Gone@Example.test' })).body
    const searchRows = async () => {
      const search = { publicationID: fixture.mine.publicationId, lastName: 'Bouncer' }
      return (await call('POST', '/search', search)).body.rows
    }
    expect((await call('GET', `/sub/${_id}`)).body).toMatchObject({ emailBounced: null, emailComplained: null })
    const address = { addressKey: 'gone@example.test', answer: '550 5.1.1 no such user' }
    const bouncedAt = new Date('2026-03-01T10:00:00Z')
    const complainedAt = new Date('2026-03-02T10:00:00Z')
    await AddressMarks.insert(fixture.services, {
      ...address,
      publisherId: fixture.theirs.publisherId,
      bouncedAt,
      complainedAt,
    })
    expect((await call('GET', `/sub/${_id}`)).body).toMatchObject({ emailBounced: null, emailComplained: null })
    expect(await searchRows()).toMatchObject([{ _id, emailBounces: false }])
    await AddressMarks.insert(fixture.services, {
      ...address,
      publisherId: fixture.mine.publisherId,
      bouncedAt,
      complainedAt,
    })
    expect((await call('GET', `/sub/${_id}`)).body).toMatchObject({
      emailBounced: { since: bouncedAt.toISOString(), answer: address.answer },
      emailComplained: complainedAt.toISOString(),
    })
    expect(await searchRows()).toMatchObject([{ _id, emailBounces: true }])
  })

  it('is refused field by field under the names that were sent', async () => {
    const wrong = await add({ lastName: 'X', postZip: 'x'.repeat(30), sd: '31/02/2026', type: 'paper', paid: 'dear' })
    expect(wrong).toEqual({
      status: 422,
      body: {
        postZip: { message: 'Must be 20 characters or fewer' },
        sd: { message: 'Must be a date such as 31-12-2026' },
        type: { message: 'Must be print, digital or bundle' },
        paid: { message: 'Must be an amount such as 10.50' },
      },
    })
    expect((await call('POST', '', { lastName: 'X' })).body).toHaveProperty('publicationID')
  })

  it('has an origin, keys and a publication that no body can set', async () => {
    const created = await add({ lastName: 'Own', origin: 'file', keyName: 'x', version: 9, isDeleted: true, _id: 1 })
    const reader = (await call('GET', `/sub/${created.body._id}`)).body
    expect(reader).toMatchObject({ origin: 'staff', isDeleted: false, version: 1 })
    const moved = await call('POST', '/update', { id: created.body._id, publicationID: fixture.theirs.publicationId })
    expect(moved.status).toBe(404)
  })

  it('is deactivated, reactivated and removed', async () => {
    const { _id } = (await add({ lastName: 'Leaving' })).body
    expect((await call('POST', `/remove/${_id}`)).body).toEqual({ _id, changed: true })
    expect((await call('GET', `/sub/${_id}`)).body).toMatchObject({ isDeleted: true })
    expect((await call('POST', `/reactivate/${_id}`)).body).toEqual({ _id, changed: true })
    expect((await call('DELETE', `/${_id}`)).status).toBe(200)
    expect((await call('GET', `/sub/${_id}`)).status).toBe(404)
    expect((await call('DELETE', `/${_id}`)).status).toBe(404)
  })
})

describe('all readers as rows', () => {
  it('are each returned once, across batches, and can be limited to imported ones', async () => {
    const { id } = await makePublication(fixture.services, { publisherId: fixture.mine.publisherId })
    expect((await call('GET', `/all/${id}`)).body).toEqual([])
    await makeReader(fixture.services, id, { lastName: 'First' })
    await makeReader(fixture.services, id, { lastName: 'Second', origin: 'staff' })
    const columns = Object.keys((await fixture.services.db.query(`SELECT * FROM readers LIMIT 1`))[0] ?? {})
    const copied = columns.filter((column) => column !== 'id' && column !== 'unique_reference').join(', ')
    const numbers = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4500) `
    await fixture.services.db.run(
      `INSERT INTO readers (unique_reference, ${copied}) ${numbers}
       SELECT 'COPY' || n, ${copied} FROM readers, n WHERE publication_id = :id AND last_name = 'First'`,
      { id },
    )
    const all = (await call('GET', `/all/${id}`)).body as unknown as { _id: number; lastName: string }[]
    expect(all).toHaveLength(4502)
    expect(new Set(all.map(({ _id }) => _id)).size).toBe(4502)
    const imported = (await call('GET', `/all/${id}?target=imported`)).body as unknown as typeof all
    expect(imported).toHaveLength(4501)
    expect((await call('GET', `/all/${id}?target=some`)).status).toBe(422)
  })

  it('are returned only to users who may export, and only for their own publications', async () => {
    const path = `/all/${fixture.mine.publicationId}`
    expect((await call('GET', path, undefined, fixture.tokens.admin)).status).toBe(403)
    expect((await call('GET', `/all/${fixture.theirs.publicationId}`)).status).toBe(404)
  })
})
