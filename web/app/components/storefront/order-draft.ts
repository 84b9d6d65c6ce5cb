import type { Promo } from './order-response.ts'
import { withoutPersonalFields } from './order-values.ts'

/** What the address of an order form names: a plan and a promo code. */
export interface OrderLink {
  plan?: string | undefined
  promo?: string | undefined
}

/** The draft of an order form in session storage, so that going back, reloading or returning from a provider's page loses nothing. */
export interface OrderDraft {
  values: Record<string, string>
  /** The reader who was logged in. */
  buyerId: number | null
  /** What the account of that reader filled in. */
  accountValues?: Record<string, string> | undefined
  /** The former name of `accountValues`, in the draft of a tab that has been open since before an upgrade. */
  own?: Record<string, string> | undefined
  /** The link that the form was opened by. */
  link?: OrderLink | undefined
  /** The promo code that was applied. */
  promo?: Promo | null | undefined
  /**
   * The idempotency key of a form that got no response, or whose provider did not respond, and what it contained: sent again unchanged, it is the
   * same order.
   */
  sent?: { key: string; content: string } | undefined
  /** The keys with which the form was sent and whose orders may be open: another order replaces them. */
  openKeys?: readonly string[] | undefined
  /** A pending order: on returning to the form it is cancelled, because it will not be paid. */
  open?: { orderNumber: string; key: string } | undefined
}

const keyOf = (urlKey: string) => `masthead-order-${urlKey.toLowerCase()}`
/** Passwords and cards are never stored in the browser, nor are fields that the page itself fills. */
const neverStored =
  /password|cardNumber|^(?:country|currency|total|idempotencyKey|scripted|what|intent|isSecondMeant)$/i
/**
 * What an order form contains, as far as a draft or the page's address keeps it, apart from the payment method: equal after a reload if nothing was
 * changed.
 */
export function storedContentOf(form: HTMLFormElement | null): string {
  const fields = form ? [...new FormData(form)] : []
  const kept = fields.filter(
    ([name, value]) => value !== '' && (name === 'country' || !neverStored.test(name)) && !name.startsWith('payment.'),
  )
  return JSON.stringify(kept.sort())
}

const empty: OrderDraft = { values: {}, buyerId: null }

export function readDraft(urlKey: string): OrderDraft | null {
  try {
    const text = sessionStorage.getItem(keyOf(urlKey))
    return text ? { ...empty, ...(JSON.parse(text) as Partial<OrderDraft>) } : null
  } catch {
    // Storage is unavailable or has a foreign value: the form works without.
    return null
  }
}

/** What is restored of a draft. Newer than the draft: an account that has changed since, and a link that names something else. */
export function restoreDraft(
  { values, buyerId, own = {}, accountValues = own, link = {}, promo = null }: OrderDraft,
  now: { buyerId: number | null; accountValues: Record<string, string>; link: OrderLink },
): { values: Record<string, string>; promo: Promo | null; hasTypedValues: boolean } {
  const names = (part: keyof OrderLink) => now.link[part] !== undefined && now.link[part] !== link[part]
  const isOwn = buyerId === now.buyerId
  const typed = { ...(buyerId === null || isOwn ? values : withoutPersonalFields(values)) }
  if (names('plan')) delete typed.plan
  if (names('promo')) delete typed.promoCode
  return {
    values:
      isOwn && JSON.stringify(accountValues) === JSON.stringify(now.accountValues)
        ? { ...now.accountValues, ...typed }
        : { ...typed, ...now.accountValues },
    promo: names('promo') ? null : promo,
    hasTypedValues: Boolean(typed.email || typed.firstName),
  }
}

/** Merges a part into the draft. Fields that are not on the page now, such as an answer to another shop's question, are kept. */
export function saveDraft(urlKey: string, part: Partial<OrderDraft>): void {
  const before = readDraft(urlKey) ?? empty
  const values = part.values
    ? {
        ...before.values,
        ...Object.fromEntries(Object.entries(part.values).filter(([name]) => !neverStored.test(name))),
      }
    : before.values
  try {
    sessionStorage.setItem(keyOf(urlKey), JSON.stringify({ ...before, ...part, values }))
  } catch {
    // Storage is full or forbidden: only the draft is lost.
  }
}

/** After the order, and on log-out: no personal data remains in the browser, nor what the storefront's renewal links filled in. */
export function deleteOrderDraft(urlKey: string): void {
  try {
    const links = keyOf(`/${urlKey}/extend/`)
    for (const key of Object.keys(sessionStorage))
      if (key === keyOf(urlKey) || key.startsWith(links)) sessionStorage.removeItem(key)
  } catch {
    // Storage is unavailable.
  }
}
