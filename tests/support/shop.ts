import { randomUUID } from 'node:crypto'
import type { Running } from '#core/platform/make-services.ts'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { makePublication } from './factories.ts'
import type { TestServices } from './test-services.ts'

interface Shop {
  id: number
  urlKey: string
  publisherId: number
}

const prices = [
  ['print', 12, 'UK', false, 2999],
  ['print', 12, 'UK', true, 2500],
  ['print', 12, 'EU', false, 3999],
  ['print', 12, 'US', false, 4999],
  ['digital', 1, 'UK', false, 299],
  ['bundle', 12, 'UK', false, 3999],
] as const

/** A publication with prices in the three bands, whose publisher accepts demo payments. */
export async function makeShop(services: Running, fields: Partial<PublicationRow> = {}): Promise<Shop> {
  const { id, urlKey, publisherId } = await makePublication(services, fields)
  for (const [product, termMonths, band, isRecurring, amount] of prices) {
    await services.db.run(
      `INSERT INTO publication_prices (publication_id, product, term_months, band, is_recurring, amount)
       VALUES (:id, :product, :termMonths, :band, :isRecurring, :amount)`,
      { id, product, termMonths, band, isRecurring, amount },
    )
  }
  return { id, urlKey, publisherId }
}

/** A postcode of each country that tests order from. */
const postCodes: Record<string, string> = { DE: '10115', FR: '75001', NO: '0150', US: '10001' }

/** A completed order form for a year of print in Great Britain, with its own key. */
export function orderForm(shop: Shop, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const email = (fields.email as string | undefined) ?? `buyer-${randomUUID()}@example.test`
  return {
    urlKey: shop.urlKey,
    plan: '1PN29.99',
    country: 'GB',
    idempotencyKey: randomUUID(),
    title: 'Mrs',
    firstName: 'Ann',
    lastName: "O'Brien",
    email,
    confirmEmail: email,
    password: 'masthead',
    billing: {
      addressOne: '1 Quay Street',
      city: 'London',
      postCode: postCodes[fields.country as string] ?? 'SW1A 1AA',
    },
    optOuts: { partnerOffersSms: 'false' },
    payment: { details: { cardNumber: '4242 4242 4242 4242' } },
    ...fields,
  }
}

/** A completed order form for one copy of each back issue, without a subscription. */
export function issueForm(
  shop: Shop,
  backIssues: readonly number[],
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  const { plan: _, optOuts: __, ...form } = orderForm(shop, fields)
  return { ...form, backIssues, ...fields }
}

/** The rows of a table for one publication, oldest first. */
export function rowsOf(
  services: Pick<TestServices, 'db'>,
  table: string,
  publicationId: number,
): Promise<Record<string, unknown>[]> {
  return services.db.query(`SELECT * FROM ${table} WHERE publication_id = :publicationId ORDER BY id`, {
    publicationId,
  })
}
