import { createHmac, randomInt } from 'node:crypto'
import { orderNumberLetters } from '../kernel/order-number.rules.ts'

/** OD- and seven random characters. A unique index detects a collision; the caller then retries with another one. */
export function newOrderNumber(): string {
  return `OD-${Array.from({ length: 7 }, () => orderNumberLetters[randomInt(orderNumberLetters.length)]).join('')}`
}

/**
 * The key that opens an order's confirmation page, which shows an email address: order numbers alone could be enumerated.
 * Derived from the number and the installation's secret, so nothing is stored and every link to it is the same.
 */
export function confirmationKey(appSecret: string, orderNumber: string): string {
  return createHmac('sha256', appSecret).update(`order-confirmation:${orderNumber}`).digest('base64url').slice(0, 22)
}
