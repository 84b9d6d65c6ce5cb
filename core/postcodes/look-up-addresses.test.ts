import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { makePublication, system } from '#tests/support/factories.ts'
import { openIdealPostcodes, type PostcodeServer, postcodeKey } from '#tests/support/postcode-servers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { lookUpAddresses } from './look-up-addresses.ts'

let services: TestServices
let provider: PostcodeServer
beforeAll(async () => {
  provider = await openIdealPostcodes()
  services = await openTestServices({
    POSTCODE_LOOKUP_PROVIDER: 'ideal-postcodes',
    POSTCODE_LOOKUP_KEY: postcodeKey,
    POSTCODE_LOOKUP_BASE: provider.url,
  })
})
afterAll(() => provider.stop())

const startTime = new Date('2026-11-21T10:00:00Z')
beforeEach(async () => {
  services.clock.now = startTime
  provider.requests.length = 0
  await services.db.run(`DELETE FROM postcode_lookups`)
  await services.db.run(`DELETE FROM rate_limits`)
})

let network = 0
/** A visitor from a separate network address. */
function someone(address = `192.0.2.${++network}`): AppContext {
  return { ...services.as(visitor), origin: { entryPoint: 'test', address } }
}

const firstAddress = '1 Kiln Street, , , Stoke-on-Trent, Staffordshire'

describe('addresses of a postcode', () => {
  it.each(['sw1a1aa', ' SW1A 1AA. ', 'SW1A-1AA', 'sW1a  1aA'])('"%s" is SW1A 1AA', async (postCode) => {
    const found = await lookUpAddresses(someone(), { postCode })
    expect(found.postCode).toBe('SW1A 1AA')
    expect(found.addresses[0]).toBe(firstAddress)
    expect(provider.requests).toEqual(['/v1/postcodes/SW1A 1AA'])
  })

  it.each(['SW1A', '90210', 'Falmouth', 'XX1 1AA', 'SW1A 1AA; DROP', 'A'.repeat(21), '../users'])(
    'refuses "%s" before any provider is queried',
    async (postCode) => {
      await expect(lookUpAddresses(someone(), { postCode })).rejects.toMatchObject({
        kind: 'invalid',
        fields: { postCode: 'Enter a UK postcode, such as SW1A 1AA' },
      })
      expect(provider.requests).toEqual([])
    },
  )

  it('requires a postcode', async () => {
    await expect(lookUpAddresses(someone(), {})).rejects.toMatchObject({ fields: { postCode: 'Required' } })
    await expect(lookUpAddresses(someone(), { postCode: ' ' })).rejects.toMatchObject({
      fields: { postCode: 'Required' },
    })
  })

  it('that no provider knows, or that cannot be looked up, are entered by hand', async () => {
    await expect(lookUpAddresses(someone(), { postCode: 'M1 1AE' })).rejects.toMatchObject({
      kind: 'notFound',
      message: 'No addresses were found for M1 1AE',
      hint: 'Please enter the address manually',
    })
    provider.next(500)
    await expect(lookUpAddresses(someone(), { postCode: 'SW1A 1AA' })).rejects.toMatchObject({
      kind: 'upstream',
      hint: 'Please enter the address manually',
    })
    // A failure is not cached.
    expect((await lookUpAddresses(someone(), { postCode: 'SW1A 1AA' })).addresses[0]).toBe(firstAddress)
    await expect(lookUpAddresses({ ...someone(), postcodes: null }, { postCode: 'SW1A 1AA' })).rejects.toMatchObject({
      kind: 'notFound',
      message: 'Address look-up is not available here',
    })
  })
})

describe('a paid look-up', () => {
  it('is cached for thirty days, for everybody', async () => {
    await lookUpAddresses(someone(), { postCode: 'SW1A 1AA' })
    services.clock.now = new Date(startTime.getTime() + 30 * 86_400_000 - 1000)
    await lookUpAddresses(someone(), { postCode: 'sw1a1aa' })
    expect(provider.requests).toHaveLength(1)
    services.clock.now = new Date(startTime.getTime() + 30 * 86_400_000)
    await lookUpAddresses(someone(), { postCode: 'SW1A 1AA' })
    expect(provider.requests).toHaveLength(2)
  })

  it('of another provider is not used', async () => {
    await lookUpAddresses(someone(), { postCode: 'SW1A 1AA' })
    const otherProvider = {
      provider: 'other',
      find: async () => ({ result: 'found' as const, addresses: ['2 Other Road, , , X, '] }),
    }
    const found = await lookUpAddresses({ ...someone(), postcodes: otherProvider }, { postCode: 'SW1A 1AA' })
    expect(found.addresses).toEqual(['2 Other Road, , , X, '])
  })

  it('is deleted when it is old', async () => {
    await lookUpAddresses(someone(), { postCode: 'SW1A 1AA' })
    await cleanUp(services.as(system), {})
    expect(await services.db.query(`SELECT post_code FROM postcode_lookups`)).toHaveLength(1)
    services.clock.now = new Date(startTime.getTime() + 31 * 86_400_000)
    await cleanUp(services.as(system), {})
    expect(await services.db.query(`SELECT post_code FROM postcode_lookups`)).toEqual([])
  })
})

describe('the look-up limit', () => {
  it('counts per network address, cached answers included', async () => {
    const copier = someone()
    for (let n = 0; n < 30; n++) await lookUpAddresses(copier, { postCode: 'SW1A 1AA' })
    await expect(lookUpAddresses(copier, { postCode: 'SW1A 1AA' })).rejects.toMatchObject({ kind: 'tooMany' })
    await lookUpAddresses(someone(), { postCode: 'SW1A 1AA' })
  })

  it('counts per publication and hour, for paid look-ups', async () => {
    const mine = await makePublication(services)
    const theirs = await makePublication(services)
    const outcomeOf = (urlKey: string, postCode = 'M1 1AE') =>
      lookUpAddresses(someone(`2001:db8::${++network}`), { postCode, urlKey }).catch(
        (error: { kind: string }) => error.kind,
      )
    await outcomeOf(mine.urlKey, 'SW1A 1AA')
    const key = `postcodes-of:publication-${mine.id}`
    await services.db.run(`UPDATE rate_limits SET hits = 499 WHERE limit_key = :key`, { key })
    expect(await outcomeOf(mine.urlKey)).toBe('notFound')
    expect(await outcomeOf(mine.urlKey.toUpperCase())).toBe('tooMany')
    // A cached answer costs nothing, and another publication has a limit of its own.
    expect(await outcomeOf(mine.urlKey, 'SW1A 1AA')).toMatchObject({ postCode: 'SW1A 1AA' })
    expect(await outcomeOf(theirs.urlKey)).toBe('notFound')
    expect(await outcomeOf('no-such-shop')).toBe('notFound')
    expect(provider.requests).toHaveLength(3)
  })
})
