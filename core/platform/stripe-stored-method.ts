import type Stripe from 'stripe'
import type { PaymentGateway, StoredMethodState } from '#core/ports/payment-gateway.ts'
import { lastDayOf } from './stripe-charge-result.ts'
import { missingAsNull } from './stripe-client.ts'

type StoredMethod = Parameters<NonNullable<PaymentGateway['lookUpStoredMethod']>>[0]['storedMethod']

/** The state of an agreement's card or account at Stripe, and the mandate of a debit. */
export async function lookUpStoredMethod(stripe: Stripe, storedMethod: StoredMethod): Promise<StoredMethodState> {
  const { methodReference, mandateReference, customerReference } = storedMethod
  const [method, mandate] = await Promise.all([
    methodReference ? stripe.paymentMethods.retrieve(methodReference).catch(missingAsNull) : null,
    mandateReference ? stripe.mandates.retrieve(mandateReference).catch(missingAsNull) : null,
  ])
  const customer = typeof method?.customer === 'string' ? method.customer : method?.customer?.id
  const isStored = method !== null && customer !== undefined && customer === customerReference
  return { details: isStored ? cardDetailsOf(method) : null, isMandateGone: mandate !== null && isRevoked(mandate) }
}

function cardDetailsOf({ card, bacs_debit: debit }: Stripe.PaymentMethod): NonNullable<StoredMethodState['details']> {
  const { exp_year: year, exp_month: month } = card ?? {}
  return { lastFour: card?.last4 ?? debit?.last4 ?? null, expiresOn: year && month ? lastDayOf(year, month) : null }
}

/** The bank's state is separate from Stripe's: a mandate that the bank refused may briefly be shown as pending. */
function isRevoked({ status, payment_method_details: details }: Stripe.Mandate): boolean {
  const bank = details.bacs_debit?.network_status
  return status === 'inactive' || bank === 'refused' || bank === 'revoked'
}
