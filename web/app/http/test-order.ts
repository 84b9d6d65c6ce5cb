import { checkTestPromo } from '#core/first-run/check-test-promo.ts'
import { placeTestOrder } from '#core/first-run/place-test-order.ts'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { previewStorefront } from '#core/storefronts/get-storefront.query.ts'
import type { OrderResponse } from '#web/app/components/storefront/order-response.ts'
import { orderInput, readOrder, refillValues } from './order-form.ts'
import { orderProblem, staysOnOrderForm } from './order-problem.ts'
import type { StaffContext } from './require-screen.ts'

/** Handles the order form of a preview: a test order, or a promo code. Responds like the storefront's own form. */
export async function handleTestOrderForm(
  ctx: StaffContext,
  request: Request,
  publicationId: number,
): Promise<OrderResponse> {
  // Authorised before the form is read.
  const { urlKey } = await previewStorefront(ctx, { publicationId })
  const sent = await readOrder(request)
  const values = refillValues(sent)
  const promoOf = () => checkTestPromo(ctx, { urlKey, plan: sent.plan ?? '', promoCode: sent.promoCode ?? '' })
  try {
    if (sent.intent === 'promo') return { kind: 'promo', promo: await promoOf(), values }
    if (sent.intent === 'withoutPromo') return { kind: 'redisplay', promo: null, values: { ...values, promoCode: '' } }
    if (sent.intent === 'total' || sent.intent === 'cancel') return { kind: 'redisplay', values }
    const { id } = await placeTestOrder(ctx, orderInput(urlKey, sent))
    return { kind: 'done', url: `/publications/${publicationId}/preview?ordered=${id}` }
  } catch (error) {
    if (!isAppError(error) || !staysOnOrderForm(error)) throw error
    const promo = sent.intent !== 'promo' && sent.promoCode ? await promoOf().catch(() => null) : null
    return { kind: 'refused', problem: orderProblem(error, sent, promo), promo, status: errorKinds[error.kind].status }
  }
}
