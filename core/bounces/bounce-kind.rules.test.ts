import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bounceKind, statusOf } from './bounce-kind.rules.ts'

it.each<[string, 'hard' | 'soft' | 'blocked']>([
  ['550 5.1.1 <ann@example.com>: Recipient address rejected: User unknown in virtual mailbox table', 'hard'],
  ['550-5.1.1 The email account that you tried to reach does not exist.', 'hard'],
  ['554 5.4.4 [internal] Domain Lookup Failed', 'hard'],
  ['550 5.2.1 The email account that you tried to reach is disabled', 'hard'],
  ['550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', 'hard'],
  ['550 Requested action not taken: mailbox unavailable', 'hard'],
  ['550 No such user here', 'hard'],
  ['554 5.0.0 user unknown', 'hard'],
  ['550 5.7.1 No such user!', 'hard'],
  ['This is not an email address', 'hard'],
  ['552 5.2.2 The email account that you tried to reach is over quota', 'soft'],
  ['552 5.3.4 Message size exceeds fixed limit', 'soft'],
  ['4.4.1 (delivery temporarily suspended: connect to mx.example.com: Connection timed out)', 'soft'],
  ['554 5.0.0 Service unavailable', 'soft'],
  ['', 'soft'],
  ['550 5.7.1 Service unavailable, client host blocked using a block list', 'blocked'],
  ['550 5.7.26 Unauthenticated email is not accepted due to the domain’s DMARC policy', 'blocked'],
  ['554 Message rejected as spam', 'blocked'],
  ['550 rejected by policy', 'blocked'],
])('%s: %s', (answer, kind) => {
  expect(bounceKind({ status: '', answer })).toBe(kind)
})

it('the status of a report takes precedence over its text', () => {
  expect(bounceKind({ status: '5.1.1', answer: '550 5.7.1 blocked as spam' })).toBe('hard')
  expect(bounceKind({ status: '4.2.2', answer: '550 user unknown' })).toBe('soft')
  expect(statusOf('no status', 'connect to 192.0.2.5.1.1 failed', '550-5.2.2 full')).toBe('5.2.2')
})

it('any text is given a kind', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (status, answer) => {
      expect(['hard', 'soft', 'blocked']).toContain(bounceKind({ status, answer }))
    }),
  )
})
