import { BlockList, isIP } from 'node:net'

/** IPv4 ranges outside the public internet: RFC 6890 and later ones. */
const nonPublic4 = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [network, bits] = range.split('/') as [string, string]
  nonPublic4.addSubnet(network, Number(bits), 'ipv4')
}

/** Global unicast, the only part of IPv6 with public hosts; and the ranges in it that map to IPv4 or are for examples. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const nonPublic6 = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  nonPublic6.addSubnet(network, bits, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an IP address is on the public internet. Loopback, private, link-local, carrier-grade NAT, mapped and translated addresses are not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !nonPublic4.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !nonPublic6.check(address, 'ipv6')
}

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
