import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from '../kernel/public-address.ts'

/** Thrown for an address that leads inside the network. */
export class RefusedAddress extends Error {}

/** Looks up all addresses of a name. */
export type Resolve = (hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void

const resolveByDns: Resolve = (hostname, callback) => lookup(hostname, { all: true }, callback)

/**
 * Checks where a connection goes. A name is resolved for each connection, and the connection is made to exactly the
 * address that was checked: this prevents DNS rebinding between the two.
 */
export function makePublicLookup({
  allowsLoopback,
  resolve = resolveByDns,
}: {
  allowsLoopback: boolean
  resolve?: Resolve
}): { lookup: LookupFunction; refuseLiteralAddress(host: string): void } {
  const mayReach = (address: string) => isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address))
  return {
    lookup(hostname, options, callback) {
      resolve(hostname, (error, addresses) => {
        if (error) return callback(error, '')
        const [first] = addresses
        // One internal address among them is enough to refuse: the name is malicious, or for the internal network only.
        if (!first || !addresses.every(({ address }) => mayReach(address))) return callback(new RefusedAddress(), '')
        if (options.all) return callback(null, addresses)
        callback(null, first.address, first.family)
      })
    },
    /** Node does not look up a literal address. */
    refuseLiteralAddress(host) {
      if (isIP(host) !== 0 && !mayReach(host)) throw new RefusedAddress()
    },
  }
}
