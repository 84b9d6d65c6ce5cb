import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { importReaders } from '#core/imports/import-readers.ts'
import { isAppError } from '#core/kernel/errors.ts'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { actorOf, makePublication, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { makeMailingFile } from './make-mailing-file.ts'

let services: TestServices
let publication: PublicationRow

const rows = [
  'UniqueReference,Title,FirstName,LastName,FullName,Address1,City,PostCode,Country,SubStart,SubExpiry,SubType',
  'M1,Ms,Ann,Lee,,1 Quay,Fowey,PL23 1AQ,,01/01/2026,31/12/2026,print',
  'M2,,,,Bo Day,2 Quay,Leeds,LS10 1AA,GB,01/01/2026,21/11/2026,bundle',
  'M3,,,,Cy Day,3 Quay,Leeds,LS9 9ZZ,GB,21/11/2026,01/01/2100,Print',
  "M4,,,,Dé Day,4 Rue,Abidjan,,Côte d'Ivoire,01/01/2026,,print",
  'M5,,,,Ed Day,5 Gate,Oslo,0150,NO,01/01/2026,,print',
  'M6,,,,"Fi ""F"", Day","6 Way, Hamlet",Perth,6000,AU,01/01/2026,,print',
  'X1,,,,Digital Only,1 Quay,Fowey,PL23 1AQ,,,,digital',
  'X2,,,,No Subscription,1 Quay,Fowey,PL23 1AQ,,,,',
  'X3,,,,Not Yet,1 Quay,Fowey,PL23 1AQ,,22/11/2026,,print',
  'X4,,,,Gone By,1 Quay,Fowey,PL23 1AQ,,,20/11/2026,print',
  'X5,,,,,1 Quay,Fowey,PL23 1AQ,,,,print',
  'X6,,,,No Address,,Fowey,PL23 1AQ,,,,print',
  'X7,,,,No Postcode,1 Quay,Fowey,,,,,print',
  'X8,,,,Bad Postcode,1 Quay,Fowey,PL23 1QCV,,,,print',
  'X9,,,,Not Active,1 Quay,Fowey,PL23 1AQ,,,,print',
]

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return Buffer.concat(pieces)
}

beforeAll(async () => {
  services = await openTestServices()
  publication = await makePublication(services, { publicationName: 'Harbour Light' })
  const file = join(services.dataDir, 'mailing.csv')
  writeFileSync(file, rows.join('\n'))
  await importReaders(services.as(operator), { urlKey: publication.urlKey, file, mode: 'add' })
  await services.db.run(`UPDATE readers SET is_deleted = :yes WHERE unique_reference = 'X9'`, { yes: true })
})

describe('the mailing file', () => {
  it('has everybody who gets a copy, in postcode order, with the postcode last in the address', async () => {
    const made = await makeMailingFile(services.as(operator), { urlKey: publication.urlKey, bom: true })
    expect(made).toMatchObject({ fileName: 'Harbour_Light_21112026.csv', on: '2026-11-21' })
    const bytes = await bytesOf(made.chunks)
    expect(bytes.toString()).toBe(
      [
        '\ufeffUniqueReference,Title,FirstName,LastName,FullName,JobTitle,CompanyName,Address1,Address2,Address3,Address4,City,State,Country,PostCode,SubType,SubExpiry',
        'M3,,,,Cy Day,,,3 Quay,,,,Leeds,,,LS9 9ZZ,print,01/01/2100',
        'M2,,,,Bo Day,,,2 Quay,,,,Leeds,,,LS10 1AA,bundle,21/11/2026',
        'M1,Ms,Ann,Lee,Ms Ann Lee,,,1 Quay,,,,Fowey,,,PL23 1AQ,print,31/12/2026',
        'M5,,,,Ed Day,,,5 Gate,,,,Oslo,,Norway,0150,print,01/01/2100',
        'M6,,,,"Fi ""F"", Day",,,"6 Way, Hamlet",,,,Perth,,Australia,6000,print,01/01/2100',
        'M4,,,,Dé Day,,,4 Rue,,,,Abidjan,,Côte d’Ivoire,,print,01/01/2100',
        '',
      ].join('\r\n'),
    )
    expect(made.counts().encoding).toBe('utf-8-bom')
    const summary = made.summary()
    expect(summary).toEqual({
      on: '2026-11-21',
      included: 6,
      excluded: [
        { reason: 'deactivated', label: 'Deactivated', count: 1 },
        { reason: 'noSubscription', label: 'No subscription', count: 1 },
        { reason: 'digital', label: 'Digital only', count: 1 },
        { reason: 'notStarted', label: 'Not started yet', count: 1 },
        { reason: 'expired', label: 'Expired', count: 1 },
        { reason: 'noName', label: 'No name or company', count: 1 },
        { reason: 'noAddress', label: 'No address line', count: 1 },
        { reason: 'noPostCode', label: 'No postcode', count: 1 },
        { reason: 'badPostCode', label: 'Postcode to be checked', count: 1 },
      ],
      zones: [
        { zone: 'uk', label: 'United Kingdom', count: 3 },
        { zone: 'europe', label: 'Europe', count: 1 },
        { zone: 'world', label: 'Rest of the world', count: 2 },
      ],
    })
    const [stored] = await services.db.query<{ included: number; sha256: string; bytes: number; mailing_on: string }>(
      `SELECT included, sha256, bytes, mailing_on FROM mailing_files WHERE publication_id = :id`,
      { id: publication.id },
    )
    expect(stored).toEqual({
      included: 6,
      bytes: bytes.length,
      mailing_on: '2026-11-21',
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
  })

  it('counts without writing in a dry run, and for another day', async () => {
    const countFiles = async () => (await services.db.query(`SELECT id FROM mailing_files`)).length
    const before = await countFiles()
    const made = await makeMailingFile(services.as(operator), {
      publicationId: publication.id,
      on: '22/11/2026',
      dryRun: true,
    })
    expect(await bytesOf(made.chunks)).toHaveLength(0)
    expect(made.summary()).toMatchObject({ on: '2026-11-22', included: 6 })
    const readers = made.summary().excluded.reduce((sum, { count }) => sum + count, made.summary().included)
    expect(readers).toBe(rows.length - 1)
    expect(await countFiles()).toBe(before)
  })

  it('stores no mailing file when reading stops early', async () => {
    const before = (await services.db.query(`SELECT id FROM mailing_files`)).length
    const made = await makeMailingFile(services.as(operator), { publicationId: publication.id })
    for await (const _ of made.chunks) break
    expect(await services.db.query(`SELECT id FROM mailing_files`)).toHaveLength(before)
  })

  it('is for a mailer of the same publisher, not for a reader administrator or a stranger', async () => {
    const mailer = await actorOf(services, 'mailer', publication.publisherId)
    await expect(makeMailingFile(services.as(mailer), { urlKey: publication.urlKey })).resolves.toMatchObject({
      on: '2026-11-21',
    })
    const admin = await actorOf(services, 'admin', publication.publisherId)
    const stranger = await actorOf(services, 'mailer')
    for (const [actor, kind] of [
      [admin, 'denied'],
      [stranger, 'notFound'],
    ] as const) {
      const error = await makeMailingFile(services.as(actor), { urlKey: publication.urlKey }).catch(
        (thrown: unknown) => thrown,
      )
      expect(isAppError(error) && error.kind).toBe(kind)
    }
  })
})
