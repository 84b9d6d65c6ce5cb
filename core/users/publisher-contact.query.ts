import { z } from 'zod'
import { asBoolean } from '../database.ts'
import { notFound } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { useCase } from '../use-case.ts'

export interface PublisherContact {
  id: number
  companyName: string
  telephone: string
  country: string
  mainCurrency: Currency
  sellsOverseas: boolean
  directDebit: { chargeableName: string; option: string }
  addressOne: string
  addressTwo: string
  addressThree: string
  postZip: string
  /** The public keys with which a browser uses the publisher's payment accounts; empty if there are none. */
  stripePublishableKey: string
  payPalClientId: string
}

/** Contact details of a publisher with an open storefront: only what the storefront shows, and no personal data. */
export const publisherContact = useCase({
  permission: 'public',
  input: z.object({ id: z.coerce.number().int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<PublisherContact> {
    const [row] = await ctx.db.query<{
      id: number
      company_name: string
      telephone: string
      country: string
      main_currency: Currency
      sell_overseas: unknown
      chargeable_name: string | null
      direct_debit: string | null
      address_one: string
      address_two: string
      address_three: string
      post_zip: string
      stripe_publishable_key: string | null
      paypal_client_id: string | null
    }>(
      `SELECT u.id, a.company_name, a.telephone, a.country, a.main_currency, a.sell_overseas,
              a.direct_debit_chargeable_name AS chargeable_name, a.direct_debit_option AS direct_debit,
              a.address_one, a.address_two, a.address_three, a.post_zip, a.stripe_publishable_key, a.paypal_client_id
       FROM users u JOIN accounts a ON a.user_id = u.id
       WHERE u.id = :id AND u.user_type = 'publisher' AND u.is_active = :yes
         AND EXISTS (SELECT 1 FROM publications p WHERE p.publisher_id = u.id AND p.removed_at IS NULL AND NOT p.is_example)`,
      { id, yes: true },
    )
    if (!row) throw notFound('The publisher')
    return {
      id: row.id,
      companyName: row.company_name,
      telephone: row.telephone,
      country: row.country,
      mainCurrency: row.main_currency,
      sellsOverseas: asBoolean(row.sell_overseas),
      directDebit: { chargeableName: row.chargeable_name ?? '', option: row.direct_debit ?? '' },
      addressOne: row.address_one,
      addressTwo: row.address_two,
      addressThree: row.address_three,
      postZip: row.post_zip,
      stripePublishableKey: row.stripe_publishable_key ?? '',
      payPalClientId: row.paypal_client_id ?? '',
    }
  },
})
