import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { makeBuyer, makePublication, system } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { clearLapsedMarketing } from './clear-lapsed-marketing.ts'
import type { ReaderRow } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

let services: TestServices
let ctx: AppContext
let publicationId: number
beforeAll(async () => {
  services = await openTestServices()
  ctx = services.as(system)
  publicationId = (await makePublication(services)).id
})
beforeEach(() => {
  services.clock.now = new Date('2026-11-21T10:00:00Z')
})

const filled = {
  firstName: 'Ann',
  lastName: 'Lee',
  fullName: 'Ann Lee',
  email: 'ann@example.com',
  telephone: '01326 496 0123',
  fax: '01326 496 0124',
  webAddress: 'https://example.com',
  jobTitle: 'Pilot',
  addressOne: '1 Quay',
  city: 'Falmouth',
  postCode: 'TR11 3XA',
  country: 'GB',
  answerA: 'Yes',
  answerC: 'Boats',
  dataSourceOne: 'Boat Show',
} as const

/** Makes a reader whose subscription ended on that day, and whose record was last changed long ago. */
async function makeEndedReader(subEndOn: string, fields: Partial<ReaderRow> = {}): Promise<number> {
  const id = await makeReader(services, publicationId, { ...filled, subStartOn: '2015-01-01', subEndOn, ...fields })
  await services.db.run(`UPDATE readers SET updated_at = :longAgo WHERE id = :id`, {
    id,
    longAgo: new Date('2020-01-01T00:00:00Z'),
  })
  return id
}

const isKept = async (id: number) => (await readerRow(services, id))?.email === 'ann@example.com'

it('deletes marketing data five years after the last day, and switches every offer off', async () => {
  const lapsed = await makeEndedReader('2021-11-20')
  const recentlyEnded = await makeEndedReader('2021-11-21')
  await services.db.transaction(() =>
    recordReaderChange(ctx, {
      readerId: lapsed,
      publicationId,
      kind: 'edited',
      note: 'Address changed',
      before: { email: 'old@example.com' },
    }),
  )
  expect(await cleanUp(ctx, {})).toMatchObject({ marketing: 1 })
  expect(await isKept(recentlyEnded)).toBe(true)
  const row = await readerRow(services, lapsed)
  expect(row).toMatchObject({
    email: '',
    telephone: '',
    fax: '',
    web_address: '',
    job_title: '',
    answer_a: '',
    answer_c: '',
    data_source_one: '',
    key_email: '',
    version: 2,
    // The record of what was supplied is kept.
    full_name: 'Ann Lee',
    address_one: '1 Quay',
    post_code: 'TR11 3XA',
    sub_type: 'print',
    sub_end_on: '2021-11-20',
  })
  for (const [column, value] of Object.entries(row ?? {}))
    if (/^(pub|partner)_offers/.test(column)) expect([column, Boolean(value)]).toEqual([column, true])
  const events = await services.db.query<{ note: string; before: unknown }>(
    `SELECT note, before FROM reader_events WHERE reader_id = :lapsed ORDER BY id`,
    { lapsed },
  )
  expect(events).toEqual([
    { note: 'Address changed', before: null },
    { note: 'Marketing data deleted, five years after the last active use', before: null },
  ])
  expect(await clearLapsedMarketing(ctx)).toBe(0)
  services.clock.now = new Date('2026-11-22T10:00:00Z')
  expect(await clearLapsedMarketing(ctx)).toBe(1)
  expect(await isKept(recentlyEnded)).toBe(false)
})

it('counts an order and a log-in as use, and keeps recent, edited and open-ended readers', async () => {
  const orderedLater = await makeEndedReader('2016-01-01')
  const makeBuyerWith = async (moments: { login?: string; created: string }) => {
    const { id } = await makeBuyer(services, publicationId)
    await services.db.run(`UPDATE buyers SET last_login_at = :login, created_at = :created WHERE id = :id`, {
      id,
      login: moments.login ? new Date(moments.login) : null,
      created: new Date(moments.created),
    })
    return id
  }
  const comesBack = await makeEndedReader('2016-01-01', {
    buyerId: await makeBuyerWith({ login: '2022-03-01T10:00:00Z', created: '2015-01-01T10:00:00Z' }),
  })
  const endedLongAgo = await makeEndedReader('2016-01-01', {
    buyerId: await makeBuyerWith({ login: '2019-03-01T10:00:00Z', created: '2015-01-01T10:00:00Z' }),
  })
  const hasNoEnd = await makeEndedReader('2100-01-01')
  const addedToday = await makeReader(services, publicationId, { ...filled, subEndOn: '2016-01-01' })
  await insertOrder(orderedLater, '2022-02-02')
  expect(await clearLapsedMarketing(ctx)).toBe(1)
  expect(await isKept(endedLongAgo)).toBe(false)
  for (const id of [orderedLater, comesBack, hasNoEnd, addedToday]) expect([id, await isKept(id)]).toEqual([id, true])
  // 36 days later its import can no longer be undone.
  services.clock.advance({ days: 36 })
  expect(await clearLapsedMarketing(ctx)).toBe(1)
  expect(await isKept(addedToday)).toBe(false)
})

it('works in chunks until all are done', async () => {
  const ids = await Promise.all(Array.from({ length: 7 }, () => makeEndedReader('2015-06-01')))
  expect(await clearLapsedMarketing(ctx, 3)).toBe(7)
  for (const id of ids) expect(await isKept(id)).toBe(false)
})

/** Inserts an order placed on a day, with only the fields needed here. */
async function insertOrder(readerId: number, orderedOn: string): Promise<void> {
  await services.db.transaction(() =>
    services.db.run(
      `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product_name, band,
         country, currency, product_price, amount, payment_type, reader_id, billing, created_at, updated_at, is_recurring, is_gift, discount)
       SELECT publisher_id, id, 'OLD-1', 'paid', 'subscription', 'old-1', :at, :orderedOn, 'Print', 'UK', 'GB', 'GBP', 100, 100, 'card',
         :readerId, '{}', :at, :at, :no, :no, 0 FROM publications WHERE id = :publicationId`,
      { readerId, publicationId, orderedOn, at: new Date(`${orderedOn}T09:00:00Z`), no: false },
    ),
  )
}
