import { createHmac, randomInt } from 'node:crypto'

/** No letters or digits that are read for one another over the telephone. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** OD- and seven random characters. The unique index is the judge; the caller tries again on a hit. */
export function newOrderNumber(): string {
  return `OD-${Array.from({ length: 7 }, () => alphabet[randomInt(alphabet.length)]).join('')}`
}

/**
 * The key that opens an order's confirmation page, which shows an email address: an order number alone could be tried through.
 * Made from the number and the installation's secret, so nothing is stored and every link to it is the same.
 */
export function confirmationKey(appSecret: string, orderNumber: string): string {
  return createHmac('sha256', appSecret).update(`order-confirmation:${orderNumber}`).digest('base64url').slice(0, 22)
}
