import { expect, it } from 'vitest'
import { declinedMessage } from './declined-message.rules.ts'

it.each([
  ['The card was declined', 'The card was declined.'],
  ['Your card was declined.', 'The card was declined.'],
  ['', 'The card was declined.'],
  ['Your card has insufficient funds.', 'The card was declined. Your card has insufficient funds.'],
])('says once that a card was declined: %j', (reason, expected) =>
  expect(declinedMessage('The card was declined', reason)).toBe(expected),
)
