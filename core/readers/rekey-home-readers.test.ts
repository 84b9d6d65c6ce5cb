import { beforeAll, expect, it } from 'vitest'
import { updateAccount } from '#core/accounts/update-account.ts'
import type { AppContext } from '#core/context.ts'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { PostcodeFiles } from '#core/postcode-files/postcode-files.rows.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { handlers } from '#worker/handlers/index.ts'
import { readersVersion } from './reader-editions.rows.ts'

let services: TestServices
let ctx: AppContext
let publicationId: number

beforeAll(async () => {
  services = await openTestServices()
  const publication = await makePublication(services)
  publicationId = publication.id
  ctx = services.as(await actorOf(services, 'publisher', publication.publisherId))
})

async function moveTo(country: string): Promise<void> {
  await updateAccount(ctx, { country })
  const loop = startEmbeddedWorker(services, handlers)
  await loop.idle()
  await loop.stop()
}

async function keysOf(id: number): Promise<[string, string, number]> {
  const [row] = await services.db.query<{ mail_sort: string; post_code_state: string; version: number }>(
    `SELECT mail_sort, post_code_state, version FROM readers WHERE id = :id`,
    { id },
  )
  return [String(row?.mail_sort), String(row?.post_code_state), Number(row?.version)]
}

it('sorts readers without a country, and checks their postcodes, for the new country of the publisher', async () => {
  const make = (fields: object) => makeReader(services, publicationId, { addressOne: '1 High St', ...fields })
  const american = await make({ postCode: '10001' })
  const british = await make({ postCode: 'SW1A 1AA' })
  const unlisted = await make({ postCode: 'PL23 1AQ' })
  const none = await make({})
  const french = await make({ postCode: '75001', country: 'FR' })
  const all = [american, british, unlisted, none, french]
  const before = await Promise.all(all.map(keysOf))
  expect(before[0]?.slice(0, 2)).toEqual(['1~510001', 'queried'])
  const edition = await readersVersion(services.db, publicationId)

  await moveTo('US')
  const [, , , , frenchKeys] = before
  expect(await Promise.all(all.map(keysOf))).toEqual([
    ['3US510001', 'ok', 1],
    ['3USSW11A11AA', 'queried', 1],
    ['3USPL3231AQ', 'queried', 1],
    ['3US', 'missing', 1],
    frenchKeys,
  ])
  expect(await readersVersion(services.db, publicationId)).toBeGreaterThan(edition)

  // Another change of the account leaves the readers alone.
  const unchanged = await readersVersion(services.db, publicationId)
  await updateAccount(ctx, { country: 'US', companyName: 'Harbour Press' })
  expect(
    await services.db.query(`SELECT id FROM jobs WHERE name = 'rekey-home-readers' AND state = 'waiting'`),
  ).toEqual([])
  expect(await readersVersion(services.db, publicationId)).toBe(unchanged)

  // Back home, the publication's own file of postcodes decides as well.
  const fileId = await PostcodeFiles.insert(services, {
    publicationId,
    fileName: 'codes.csv',
    storedFile: null,
    bytes: 1,
    rejects: [],
    isLive: true,
  })
  await services.db.run(`INSERT INTO postcodes (file_id, post_code) VALUES (:fileId, 'SW1A1AA')`, { fileId })
  await moveTo('GB')
  const [, one, two] = before
  expect(await Promise.all([american, british, unlisted].map(keysOf))).toEqual([
    before[0],
    one,
    [two?.[0], 'queried', 1],
  ])
})
