import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { readZip } from '#tests/support/read-zip.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import type { Actor } from '../access/actor.ts'
import { exportCounts } from './export-counts.ts'
import { makeMailingZip } from './make-mailing-zip.ts'
import { zipStream } from './zip-stream.ts'

const services = await openTestServices()
let publicationId: number
let mailer: Actor

beforeAll(async () => {
  services.clock.now = new Date('2026-11-21T10:00:02Z')
  const publication = await makePublication(services, { publicationName: 'Éire & Söhne' })
  publicationId = publication.id
  mailer = await actorOf(services, 'mailer', publication.publisherId)
  const make = (fields: object) => makeReader(services, publicationId, fields)
  await make({ fullName: 'Ann Łoś', addressOne: '1 Quay', city: 'Fowey', postCode: 'PL23 1AQ' })
  await make({ fullName: 'Bo Day', addressOne: '2 Quay', city: 'Leeds', postCode: 'LS10 1AA', subType: 'bundle' })
  await make({ fullName: 'Ed Day', addressOne: '5 Gate', city: 'Oslo', postCode: '0150', country: 'NO' })
  await make({ fullName: 'Di Day', subType: 'digital' })
})

async function bytesOf(chunks: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const chunk of chunks) pieces.push(Buffer.from(chunk))
  return Buffer.concat(pieces)
}

describe('the zip of a mailing file', () => {
  it('has a file for each zone, even for one without readers, and the counts with their hashes', async () => {
    const made = await makeMailingZip(services.as(mailer), { publicationId, on: '21/11/2026' })
    expect(made).toMatchObject({ fileName: 'Éire_Söhne_21112026.zip', type: 'application/zip' })
    const files = readZip(await bytesOf(made.chunks))
    const zones = ['uk', 'europe', 'world'].map((zone) => `Éire_Söhne_21112026_${zone}.csv`)
    expect([...files.keys()].sort()).toEqual([...zones, 'Éire_Söhne_21112026_counts.csv'].sort())
    expect(zones.map((name) => String(files.get(name)).trimEnd().split('\r\n').length - 1)).toEqual([2, 1, 0])
    expect(String(files.get(zones[0] ?? ''))).toContain('Ann Łoś')
    const counts = String(files.get('Éire_Söhne_21112026_counts.csv'))
    expect(counts).toContain('In the file,All zones,3,,')
    expect(counts).toContain('Characters lost,')
    for (const name of zones) {
      const bytes = files.get(name) ?? Buffer.alloc(0)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      expect(counts).toMatch(new RegExp(`File,${name},\\d,${bytes.length},${sha256}`))
    }
    expect(made.rows?.()).toEqual({ sent: 3, total: 3 })
    const [stored] = await services.db.query<{ included: number }>(
      `SELECT included FROM mailing_files WHERE publication_id = :publicationId`,
      { publicationId },
    )
    expect(stored).toMatchObject({ included: 3 })
  })

  it('is refused without the permission, and not found for another publisher’s publication', async () => {
    const admin = await actorOf(services, 'admin')
    await expect(makeMailingZip(services.as(admin), { publicationId })).rejects.toMatchObject({ kind: 'denied' })
    const stranger = await actorOf(services, 'mailer')
    for (const make of [makeMailingZip, exportCounts])
      await expect(make(services.as(stranger), { publicationId })).rejects.toMatchObject({ kind: 'notFound' })
  })
})

it('the counts alone report no files or lost characters, and create nothing', async () => {
  const before = await services.db.query(`SELECT id FROM mailing_files`)
  const sheet = await exportCounts(services.as(mailer), { publicationId, on: '21/11/2026' })
  expect(sheet.fileName).toBe('Éire_Söhne_21112026_counts.csv')
  const text = String(await bytesOf(sheet.chunks))
  expect(text).toMatch(/^\ufeffWhat,Of,Count,/)
  expect(text).toContain('Print,Europe,1,,')
  expect(text).not.toMatch(/^(File,|Characters|Cells)/m)
  expect(await services.db.query(`SELECT id FROM mailing_files`)).toEqual(before)
})

describe.each([false, true])('a zip, as ZIP64: %s', (forceZip64) => {
  const at = new Date('2026-11-21T10:00:02Z')
  const lines = Array.from({ length: 50 }, (_, index) => Buffer.from(`line ${index}\r\n`.repeat(2000)))

  it('packs many chunks of a file as one, and can contain an empty file', async () => {
    async function* pieces() {
      for (const bytes of lines) yield { name: 'a.csv', bytes }
      yield { name: 'Łoś.csv', bytes: Buffer.alloc(0) }
    }
    const zip = await bytesOf(zipStream(pieces(), at, { forceZip64 }))
    const files = readZip(zip)
    expect([...files.keys()]).toEqual(['a.csv', 'Łoś.csv'])
    expect(files.get('a.csv')?.equals(Buffer.concat(lines))).toBe(true)
    expect(files.get('Łoś.csv')?.length).toBe(0)
    expect(zip.length).toBeLessThan(Buffer.concat(lines).length / 20)
    expect(zip.includes(Buffer.from([0x50, 0x4b, 6, 6]))).toBe(forceZip64)
  })

  it('reads only on demand, and closes its source when it is abandoned', async () => {
    let chunksMade = 0
    let isClosed = false
    async function* pieces() {
      try {
        for (; chunksMade < 1_000; chunksMade++) yield { name: 'a.csv', bytes: randomBytes(100_000) }
      } finally {
        isClosed = true
      }
    }
    for await (const _ of zipStream(pieces(), at, { forceZip64 })) break
    expect(isClosed).toBe(true)
    expect(chunksMade).toBeLessThan(100)
  })

  it('fails with the error of its source', async () => {
    async function* pieces() {
      yield { name: 'a.csv', bytes: Buffer.from('a') }
      throw new Error('the database is gone')
    }
    await expect(bytesOf(zipStream(pieces(), at, { forceZip64 }))).rejects.toThrow('the database is gone')
  })
})
