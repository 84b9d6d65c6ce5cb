import { describe, expect, it } from 'vitest'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

describe('an address on the public internet', () => {
  it.each(['1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1', '192.0.1.1'])(
    'is %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
  it.each(['2606:4700:4700::1111', '2a00:1450:4009::200e'])('is %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '1.1.1',
    'fe80::1%eth0',
  ])('is not %s', (address) => expect(isPublicAddress(address)).toBe(false))
})

it('loopback is the machine itself, for IPv4 and IPv6', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].map(isLoopbackAddress)).toEqual([true, true, true])
  expect(['10.0.0.1', '::2', 'localhost'].map(isLoopbackAddress)).toEqual([false, false, false])
})
