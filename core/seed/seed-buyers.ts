import type { Services } from '../context.ts'
import { insertRows } from './insert-rows.ts'
import type { Customer, Sale } from './make-sales.ts'
import { addressOf, instantOf, publicationIdOf, type SalesContext } from './sale-facts.ts'

/** Writes one buyer for each customer, created by the first order. Returns their ids. */
export async function seedBuyers(
  { db }: Services,
  context: SalesContext,
  sales: readonly Sale[],
): Promise<Map<Customer, number>> {
  const firstSales = new Map<Customer, Sale>()
  for (const sale of sales) if (!firstSales.has(sale.customer)) firstSales.set(sale.customer, sale)
  await insertRows(
    db,
    'buyers',
    [...firstSales].map(([customer, sale]) => ({
      publication_id: publicationIdOf(context, sale),
      email: customer.buyer.email,
      email_key: customer.buyer.email.toLowerCase(),
      password_hash: context.passwordHash,
      token_version: 0,
      title: customer.buyer.title,
      first_name: customer.buyer.firstName,
      last_name: customer.buyer.lastName,
      mobile: customer.buyer.telephone,
      first_sub_start_on: sale.startOn,
      shipping: customer.isGift ? addressOf(customer.recipient) : null,
      created_at: instantOf(sale),
      updated_at: instantOf(sale),
    })),
  )
  const rows = await db.query<{ id: number; publication_id: number; email_key: string }>(
    `SELECT id, publication_id, email_key FROM buyers`,
  )
  const ids = new Map(rows.map((row) => [`${row.publication_id} ${row.email_key}`, row.id]))
  return new Map(
    [...firstSales].map(([customer, sale]) => [
      customer,
      ids.get(`${publicationIdOf(context, sale)} ${customer.buyer.email.toLowerCase()}`) ?? 0,
    ]),
  )
}
