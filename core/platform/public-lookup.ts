import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** Thrown for an address that leads inside the network. */
export class RefusedAddress extends Error {}

/** Asks for all addresses of a name. */
export type Resolve = (hostname: string, then: (error: Error | null, addresses: LookupAddress[]) => void) => void

const resolveByDns: Resolve = (hostname, then) => lookup(hostname, { all: true }, then)

/**
 * What checks where a connection goes. The address that a name has is looked up for each connection, and the connection is made to the very
 * address that was checked: a name that changes its mind between the two leads nowhere.
 */
export function makePublicLookup({
  allowsLoopback,
  resolve = resolveByDns,
}: {
  allowsLoopback: boolean
  resolve?: Resolve
}): { lookup: LookupFunction; refuseLiteral(host: string): void } {
  const mayReach = (address: string) => isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address))
  return {
    lookup(hostname, options, then) {
      resolve(hostname, (error, addresses) => {
        if (error) return then(error, '')
        const [first] = addresses
        // One inner address among them is reason enough: whoever names it means harm, or has a name for the house alone.
        if (!first || !addresses.every(({ address }) => mayReach(address))) return then(new RefusedAddress(), '')
        if (options.all) return then(null, addresses)
        then(null, first.address, first.family)
      })
    },
    /** Node looks no literal address up. */
    refuseLiteral(host) {
      if (isIP(host) !== 0 && !mayReach(host)) throw new RefusedAddress()
    },
  }
}
