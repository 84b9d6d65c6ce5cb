import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '#core/context.ts'
import {
  openGetAddress,
  openIdealPostcodes,
  type PostcodeServer,
  postcodeKey,
} from '#tests/support/postcode-servers.ts'
import { makePostcodeLookup } from './make-postcode-lookup.ts'

const logged: string[] = []
const record = (fields: object, message: string) => void logged.push(`${JSON.stringify(fields)} ${message}`)
const log: Log = { info: record, warn: record, error: record }

let idealPostcodes: PostcodeServer
let getAddress: PostcodeServer
beforeAll(async () => {
  idealPostcodes = await openIdealPostcodes()
  getAddress = await openGetAddress()
})
afterAll(() => Promise.all([idealPostcodes.stop(), getAddress.stop()]))

function lookupAt(provider: 'ideal-postcodes' | 'get-address', key = postcodeKey) {
  const lookup = makePostcodeLookup(
    { provider, key, base: provider === 'get-address' ? getAddress.url : idealPostcodes.url },
    log,
  )
  if (!lookup) throw new Error('There is a provider')
  return lookup
}

describe('Ideal Postcodes', () => {
  it('returns lines, town and county with commas between them', async () => {
    expect(await lookupAt('ideal-postcodes').find('SW1A 1AA')).toEqual({
      result: 'found',
      addresses: [
        '1 Kiln Street, , , Stoke-on-Trent, Staffordshire',
        'Flat 2, Bottle House, 3 Kiln Street, Stoke-on-Trent, Staffordshire',
        'Saltglaze Ltd, 5 Kiln Street, , Stoke-on-Trent, Staffordshire',
      ],
    })
    expect(idealPostcodes.requests.at(-1)).toBe('/v1/postcodes/SW1A 1AA')
  })

  it('reports an unknown postcode', async () => {
    expect(await lookupAt('ideal-postcodes').find('M1 1AE')).toEqual({ result: 'unknown' })
  })
})

describe('getAddress', () => {
  it('returns the same in the same format', async () => {
    expect(await lookupAt('get-address').find('SW1A 1AA')).toEqual({
      result: 'found',
      addresses: [
        '1 Kiln Street, , , Stoke-on-Trent, Staffordshire',
        'Saltglaze Ltd, 5 Kiln Street, Penkhull, Stoke-on-Trent, Staffordshire',
      ],
    })
  })

  it('treats its Bad Request and its Not Found as unknown', async () => {
    expect(await lookupAt('get-address').find('M1 1AE')).toEqual({ result: 'unknown' })
    expect(await lookupAt('get-address').find('B33 8TH')).toEqual({ result: 'unknown' })
  })
})

describe.each(['ideal-postcodes', 'get-address'] as const)('%s', (provider) => {
  const server = () => (provider === 'get-address' ? getAddress : idealPostcodes)

  it('reports no answer when the key is invalid, and logs no key', async () => {
    logged.length = 0
    expect(await lookupAt(provider, 'ak_secret_wrong').find('SW1A 1AA')).toEqual({ result: 'noAnswer' })
    expect(logged).toEqual([expect.stringContaining('answered 401')])
    expect(logged.join()).not.toMatch(/ak_|SW1A|api-?_?key/i)
  })

  it.each([402, 429, 500, 503, 'drop', 'nonsense'] as const)('reports no answer after %s', async (instead) => {
    logged.length = 0
    server().next(instead)
    expect(await lookupAt(provider).find('SW1A 1AA')).toEqual({ result: 'noAnswer' })
    expect(logged).toHaveLength(1)
    expect(logged.join()).not.toMatch(/ak_|SW1A/)
  })
})

it('a look-up times out for a provider that never answers', async () => {
  logged.length = 0
  idealPostcodes.next('hang')
  expect(await lookupAt('ideal-postcodes').find('SW1A 1AA')).toEqual({ result: 'noAnswer' })
  expect(logged).toEqual([expect.stringContaining('TimeoutError')])
})

it('the look-up is simulated in the demo, and absent when none is configured', async () => {
  const demo = makePostcodeLookup({ provider: 'demo' }, log)
  for (const postCode of ['SW1A 1AA', 'EC1A 1BB', 'M1 1AE', 'B33 8TH', 'CR2 6XH', 'DN55 1PT']) {
    const found = await demo?.find(postCode)
    const addresses = found?.result === 'found' ? found.addresses : []
    expect(addresses.length, postCode).toBeGreaterThan(2)
    expect(addresses.join('\n')).toMatch(/\b(Ltd|Plc|Limited|LLP)\b/)
    expect(addresses.join('\n')).toMatch(/\b(Flat|Apartment)\b/)
  }
  expect(await demo?.find('ZE1 0AA')).toEqual({ result: 'unknown' })
  expect(makePostcodeLookup(null, log)).toBeNull()
})
