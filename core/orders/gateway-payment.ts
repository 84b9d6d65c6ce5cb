import { PayeeKeys, payeeFromRow } from '../accounts/payee-of.ts'
import type { AppContext } from '../context.ts'
import { asBoolean, asJson } from '../database.ts'
import { notFound } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import type { GatewayPayment, PaymentGateway, PaymentProvider } from '../ports/payment-gateway.ts'
import { confirmationKey } from './order-number.ts'

/** The pages a provider sends the browser back to. */
function returnPages({ settings }: AppContext, orderNumber: string): { returnUrl: string; cancelUrl: string } {
  const search = new URLSearchParams({ orderNumber, key: confirmationKey(settings.appSecret, orderNumber) })
  return {
    returnUrl: `${settings.appUrl}/ordersuccess?${search}`,
    cancelUrl: `${settings.appUrl}/ordercancel?${search}`,
  }
}

/** An order's payment as it is sent to its gateway. `gateway` is undefined if this installation does not have it. */
export async function gatewayPayment(
  ctx: AppContext,
  orderId: number,
  details: GatewayPayment['details'] = {},
): Promise<{
  payment: GatewayPayment
  provider: PaymentProvider
  gateway: PaymentGateway | undefined
  state: OrderState
}> {
  const [row] = await PayeeKeys.rows<{
    state: OrderState
    order_number: string
    publisher_id: number
    publication_id: number
    publication_name: string
    product_name: string
    is_recurring: unknown
    amount: number
    currency: Currency
    email: string
    mobile: string
    billing: unknown
    provider: PaymentProvider
    idempotency_key: string
    provider_reference: string | null
    charge_reference: string | null
    renewal_id: number | null
    customer_reference: string | null
    method_reference: string | null
    mandate_reference: string | null
  }>(
    ctx,
    `SELECT o.state, o.order_number, o.publisher_id, o.publication_id, p.publication_name, o.product_name, o.is_recurring, y.amount, y.currency,
            o.email, o.mobile, o.billing, y.provider, y.idempotency_key, y.provider_reference, y.charge_reference,
            o.renewal_id, a.customer_reference, a.method_reference, a.mandate_reference, ${PayeeKeys.columns('c')}
     FROM orders o JOIN payments y ON y.order_id = o.id JOIN publications p ON p.id = o.publication_id
     LEFT JOIN accounts c ON c.user_id = o.publisher_id LEFT JOIN renewals r ON r.id = o.renewal_id LEFT JOIN payment_agreements a ON a.id = r.agreement_id WHERE o.id = :orderId`,
    { orderId },
  )
  if (!row) throw notFound('The order')
  const { provider } = row
  const payment: GatewayPayment = {
    orderNumber: row.order_number,
    idempotencyKey: row.idempotency_key,
    money: { amount: row.amount, currency: row.currency },
    description: `${row.publication_name}: ${row.product_name}`,
    publisherId: row.publisher_id,
    publicationId: row.publication_id,
    payee: payeeFromRow(ctx, row, provider),
    buyer: { email: row.email, mobile: row.mobile, billing: asJson<PostalAddress>(row.billing) },
    isRecurring: asBoolean(row.is_recurring),
    ...returnPages(ctx, row.order_number),
    reference: row.provider_reference,
    chargeReference: row.charge_reference,
    wasPaid: row.state === 'paid' || row.state === 'refunded' || row.state === 'reversed',
    storedMethod:
      row.renewal_id === null
        ? null
        : {
            customerReference: row.customer_reference,
            methodReference: row.method_reference,
            mandateReference: row.mandate_reference,
          },
    details,
  }
  return { payment, provider, gateway: provider === 'free' ? freeGateway : ctx.payments[provider], state: row.state }
}

/** A free order is paid as soon as it is placed. */
const freeGateway: PaymentGateway = {
  begin: (payment) => freeGateway.lookUp(payment),
  lookUp: async ({ idempotencyKey, money }) => ({ state: 'paid', reference: `free_${idempotencyKey}`, money }),
  cancel: (payment) => freeGateway.lookUp(payment),
}
