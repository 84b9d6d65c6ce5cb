import { describe, expect, it } from 'vitest'
import { networkOf } from './network.rules.ts'

describe('the network of an address', () => {
  it('is the address itself with IPv4, however it arrived', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  })

  it('is the /64 of an IPv6 address, however it is written', () => {
    const same = ['2001:db8:0:12::1', '2001:db8::12:0:0:0:9', '2001:0DB8:0000:0012:ffff:1:2:3']
    expect(new Set(same.map(networkOf))).toEqual(new Set(['2001:db8:0:12::/64']))
    expect(networkOf('2001:db8:0:13::1')).toBe('2001:db8:0:13::/64')
    expect(networkOf('::1')).toBe('0:0:0:0::/64')
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  })
})
