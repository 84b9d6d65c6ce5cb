import { expect, it } from 'vitest'
import { bounceAddresses } from './bounce-addresses.ts'

const addresses = bounceAddresses('secret-secret-secret-secret-secret', 'bounces@Example.com')

it('a bounce address identifies its email, even when a server has changed its case', () => {
  for (const id of [1, 46, 123_456_789_012]) {
    const address = addresses.of(id)
    expect(address).toMatch(/^bounces\+[0-9a-z]+-[0-9a-f]{16}@example\.com$/)
    expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64)
    expect(addresses.emailIdOf(address.toUpperCase())).toBe(id)
  }
})

it('a made-up bounce address identifies no email', () => {
  const otherAddresses = bounceAddresses('another-secret-another-secret-anoth', 'bounces@example.com')
  const changedId = addresses.of(2).replace('+2-', '+3-')
  for (const address of [otherAddresses.of(1), changedId, 'bounces@example.com', 'bounces+1@example.com', ''])
    expect(addresses.emailIdOf(address)).toBeNull()
})
