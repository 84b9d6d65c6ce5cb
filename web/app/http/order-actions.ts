import { type ActionFunctionArgs, data, redirect } from '@remix-run/node'
import type { AppContext } from '#core/context.ts'
import { type AppError, errorKinds, invalid, isAppError } from '#core/kernel/errors.ts'
import { isLanguage, type Language } from '#core/kernel/languages.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import type { PlacedOrder } from '#core/orders/order-once.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { checkPromo } from '#core/promos/check-promo.ts'
import { sourceOf, type TrafficSource } from '#core/storefronts/traffic-source.rules.ts'
import type { OrderResponse, Promo } from '#web/app/components/storefront/order-response.ts'
import { buyerContext } from './buyer-session.ts'
import { logShownError, markRefused } from './form.ts'
import { languageFor } from './language.ts'
import { issueOrderInput, orderInput, readOrder, refillValues } from './order-form.ts'
import { isFreeOrder, orderProblem, staysOnOrderForm } from './order-problem.ts'
import { dropStorefront, storefrontOf } from './storefront-data.ts'
import { showCountry, visitorCountry } from './visitor-country.ts'

type Sent = Record<string, string>

/** The use cases of an order form, which are different for the storefront's own form and the form of a renewal link. */
export interface OrderActions {
  sell(ctx: AppContext, sent: Sent, visit: { language: Language; source: TrafficSource | null }): Promise<PlacedOrder>
  checkPromo(ctx: AppContext, sent: Sent): ReturnType<typeof checkPromo>
}

/** The storefront's own form: what is on sale, for any buyer. */
const storefrontActions = (urlKey: string): OrderActions => ({
  sell: (ctx, sent, visit) => sell(ctx, urlKey, sent, visit),
  checkPromo: (ctx, { plan = '', promoCode = '' }) => checkPromo(ctx, { urlKey, plan, promoCode }),
})

/** Handles an order form: places the order, checks a promo code, cancels an unpaid order, or only shows the form again. */
export async function handleOrderForm(
  { request, params, context }: ActionFunctionArgs,
  actions: OrderActions = storefrontActions(params.urlKey ?? ''),
): Promise<OrderResponse> {
  const urlKey = params.urlKey ?? ''
  const sent = await readOrder(request)
  const { id } = await storefrontOf(context, urlKey)
  const ctx = await buyerContext(request, context, id)
  const values = refillValues(sent)
  showCountry(context, sent.intent === 'country' ? sent.newCountry : sent.country)
  try {
    if (sent.intent === 'promo') return { kind: 'promo', promo: await actions.checkPromo(ctx, sent), values }
    if (sent.intent === 'withoutPromo') return { kind: 'redisplay', promo: null, values: { ...values, promoCode: '' } }
    if (sent.intent === 'country') {
      const promo = sent.promoCode ? await actions.checkPromo(ctx, sent).catch(() => null) : null
      return { kind: 'redisplay', promo, values: { ...values, country: sent.newCountry ?? '' } }
    }
    if (sent.intent === 'total') return { kind: 'redisplay', values }
    if (sent.intent === 'cancel') return await cancelUnpaid(ctx, sent, values)
    await checkScript(ctx, sent, actions)
    const language = isLanguage(sent.language)
      ? sent.language
      : languageFor(request, context, sent.country || visitorCountry(request, context)).language
    // Without JavaScript the browser posts to the page's own address.
    const source = sourceOf(new URLSearchParams(sent)) ?? sourceOf(new URL(request.url).searchParams)
    const order = await actions.sell(ctx, sent, { language, source })
    if (sent.what === 'issues') dropStorefront(context, urlKey)
    return toOrderResponse(order, values)
  } catch (error) {
    if (!isAppError(error)) throw error
    // The refused item may be sold out, more expensive or closed by now: the page is loaded again without the cache.
    if (sent.intent !== 'promo') dropStorefront(context, urlKey)
    if (error.kind === 'gone') return { kind: 'closed', url: `/${urlKey}` }
    if (!staysOnOrderForm(error)) throw error
    markRefused(context)
    logShownError(context, error)
    const promo = await appliedPromo(ctx, sent, { error, actions })
    return { kind: 'refused', problem: orderProblem(error, sent, promo), promo, status: errorKinds[error.kind].status }
  }
}

/** A code applied before stays applied, unless it is the one refused; null for none. Undefined: the page keeps what it has. */
async function appliedPromo(
  ctx: AppContext,
  sent: Sent,
  { error, actions }: { error: AppError; actions: OrderActions },
): Promise<Promo | null | undefined> {
  // The stored order counts as a use of the code. If it was the last use, checking the code again would refuse it.
  if (error.kind === 'upstream' && sent.scripted === 'yes') return undefined
  return sent.intent !== 'promo' && sent.promoCode ? actions.checkPromo(ctx, sent).catch(() => null) : null
}

/** Handles an order form that the browser posts: redirects if there is a next page. */
export async function handleOrderPage(args: ActionFunctionArgs, actions?: OrderActions) {
  const result = await handleOrderForm(args, actions)
  if (result.kind === 'done' || result.kind === 'closed') return redirect(result.url)
  if (result.kind === 'step' && result.step.kind === 'go') return redirect(result.step.url)
  return data(result, { status: result.kind === 'refused' ? result.status : 200 })
}

function sell(
  ctx: AppContext,
  urlKey: string,
  sent: Sent,
  visit: { language: Language; source: TrafficSource | null },
): Promise<PlacedOrder> {
  return sent.what === 'issues'
    ? placeBackIssueOrder(ctx, { ...issueOrderInput(urlKey, sent), ...visit })
    : placeOrder(ctx, { ...orderInput(urlKey, sent), ...visit })
}

function toOrderResponse(placed: PlacedOrder, values: Sent): OrderResponse {
  const { orderNumber, key, productName, amount, currency, next } = placed
  const successUrl = successPage(orderNumber, key)
  if (!next) return { kind: 'done', url: successUrl }
  return { kind: 'step', step: next, order: { orderNumber, key, productName, amount, currency, successUrl }, values }
}

function successPage(orderNumber: string, key: string): string {
  return `/ordersuccess?${new URLSearchParams({ orderNumber, key })}`
}

/** Cancels the order; if it was paid in the meantime it stays paid, and the buyer goes to its page. */
async function cancelUnpaid(
  ctx: AppContext,
  { orderNumber = '', key = '' }: Sent,
  values: Sent,
): Promise<OrderResponse> {
  const { state } = await cancelOrder(ctx, { orderNumber, key })
  return state === 'paid' ? { kind: 'done', url: successPage(orderNumber, key) } : { kind: 'redisplay', values }
}

/** Stripe's fields need its script: without JavaScript such an order could not be paid. */
async function checkScript(ctx: AppContext, sent: Sent, actions: OrderActions): Promise<void> {
  const isStripe = (sent['payment.provider'] ?? '').startsWith('stripe-')
  if (!isStripe || sent.scripted === 'yes') return
  const promo = sent.promoCode ? await actions.checkPromo(ctx, sent).catch(() => null) : null
  if (isFreeOrder(sent, promo)) return
  throw invalid({ payment: 'This payment method needs JavaScript. Please switch it on, or choose another.' })
}
