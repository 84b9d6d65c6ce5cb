import { beforeAll, describe, expect, it } from 'vitest'
import { findLikelyDuplicates } from '#core/duplicates/find-likely-duplicates.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import type { Actor } from '../access/actor.ts'
import { addReader } from './add-reader.ts'
import { similarReaders } from './similar-readers.query.ts'

const services = await openTestServices()
let publicationId: number
let publisher: Actor
const ids: Record<string, number> = {}

const home = { addressOne: '4 Quay Street', city: 'Ramsgate', postCode: 'CT11 8AB' }

beforeAll(async () => {
  const publication = await makePublication(services)
  publicationId = publication.id
  publisher = await actorOf(services, 'publisher', publication.publisherId)
  const people = {
    ida: { firstName: 'Ida', lastName: 'Finch', email: 'ida@finch.test', ...home },
    tom: { firstName: 'Tom', lastName: 'Wren', email: 'tom@wren.test', addressOne: '9 Mill Lane', city: 'Leeds', postCode: 'LS1 4AB' },
    office: { companyName: 'Harbour & Sons Ltd', addressOne: '1 Dock Road', city: 'Hull', postCode: 'HU1 1AA' },
  } // biome-ignore format: a table
  for (const [name, fields] of Object.entries(people)) ids[name] = await makeReader(services, publicationId, fields)
  const otherPublication = await makePublication(services)
  await makeReader(services, otherPublication.id, people.ida)
  for (let n = 0; n < 60; n++) {
    await makeReader(services, publicationId, {
      firstName: 'Pat',
      lastName: `Other${n}`,
      addressOne: `${n} High Road`,
      city: 'York',
      postCode: `YO1 ${n % 10}AA`,
    })
  }
})

const search = (typed: object) => similarReaders(services.as(publisher), { publicationId, ...typed })

describe('similar readers', () => {
  it('are found by equal, misspelt or missing fields, with reasons and confidence', async () => {
    const [byEmail, ...others] = await search({ email: ' IDA@finch.test' })
    expect(byEmail).toMatchObject({ id: ids.ida, reasons: ['same email'] })
    expect(others).toEqual([])
    const [sameName] = await search({ firstName: 'Ida', lastName: 'Finch', ...home })
    expect(sameName).toMatchObject({ id: ids.ida, reasons: ['same name', 'same address', 'same postcode'] })
    expect(sameName?.confidence).toBeGreaterThan(0.9)
    const [misspelt] = await search({ firstName: 'Ida', lastName: 'Fnich', ...home })
    expect(misspelt).toMatchObject({ id: ids.ida })
    expect(misspelt?.reasons[0]).toMatch(/similar surname/)
    expect((await search({ lastName: 'Finch', postCode: 'CT11 8AB' }))[0]).toMatchObject({ id: ids.ida })
    expect((await search({ companyName: 'harbour and sons', postCode: 'HU1 1AA' }))[0]?.id).toBe(ids.office)
  })

  it('are not those with only the same surname or town, nor another publication’s', async () => {
    expect(await search({ firstName: 'George', lastName: 'Wren', addressOne: '3 Hill', postCode: 'EH1 1AA' })).toEqual(
      [],
    )
    expect(await search({ firstName: 'Zoë', lastName: 'Novak', city: 'York', postCode: 'YO1 9ZZ' })).toEqual([])
    expect(await search({})).toEqual([])
    const stranger = await actorOf(services, 'publisher')
    await expect(similarReaders(services.as(stranger), { publicationId })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('are scored by what the newest finished search learned, not an older one', async () => {
    const confidence = async () =>
      (await search({ firstName: 'Ida', lastName: 'Finch', email: 'ida@finch.test' }))[0]?.confidence ?? 0
    const before = await confidence()
    const runSearch = async (learned: string | null) => {
      const { id } = await findLikelyDuplicates(services.as(publisher), { publicationId })
      await runWorker(services)
      await services.db.run(`UPDATE likely_searches SET learned = :learned WHERE id = :id`, { id, learned })
    }
    await runSearch('{"moves":{"email.same":-1.5}}')
    expect(await confidence()).toBeLessThan(before)
    await findLikelyDuplicates(services.as(publisher), { publicationId })
    expect(await confidence()).toBeLessThan(before)
    await runWorker(services)
    await runSearch(null)
    expect(await confidence()).toBe(before)
  })

  it('stop an addition only on request', async () => {
    const duplicate = { publicationId, firstName: 'Tom', lastName: 'Wren', email: 'tom@wren.test' }
    const result = await addReader(services.as(publisher), { ...duplicate, unlessSimilar: true })
    expect(result).toMatchObject({ id: null, similar: [{ id: ids.tom }] })
    expect((await addReader(services.as(publisher), duplicate)).id).toBeGreaterThan(0)
  })
})
