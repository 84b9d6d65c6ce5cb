import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seal, unseal } from './sealed.ts'

const secret = 'test-secret-test-secret-test-secret'

it('decrypts what it encrypted, and never produces the same ciphertext twice', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const sealed = seal(secret, 'payee-key', text)
      expect(unseal(secret, 'payee-key', sealed)).toBe(text)
      expect(seal(secret, 'payee-key', text)).not.toBe(sealed)
    }),
  )
})

it('fails to decrypt with another secret, another purpose, or an altered or missing ciphertext', () => {
  const sealed = seal(secret, 'payee-key', 'sk_live_abc')
  expect(unseal('another-secret-another-secret-another', 'payee-key', sealed)).toBeNull()
  expect(unseal(secret, 'two-step', sealed)).toBeNull()
  const parts = sealed.split('.')
  for (let index = 1; index < parts.length; index++) {
    const changed = parts.with(index, `${parts[index]?.startsWith('A') ? 'B' : 'A'}${parts[index]?.slice(1)}`).join('.')
    expect(unseal(secret, 'payee-key', changed)).toBeNull()
  }
  for (const invalid of [null, '', 'sk_live_abc', 'v1...', 'v1.AAAA.AAAA.']) {
    expect(unseal(secret, 'payee-key', invalid)).toBeNull()
  }
})
