import type { Promo } from './order-response.ts'
import { withoutPersonalFields } from './order-values.ts'

/** The plan and the promo code that the address of an order form names. */
export interface OrderLink {
  plan?: string | undefined
  promo?: string | undefined
}

/** The draft of an order form in session storage, so that going back, reloading or returning from a provider's page loses nothing. */
export interface OrderDraft {
  values: Record<string, string>
  /** The buyer who was logged in. */
  buyerId: number | null
  /** The values that were filled in from that buyer's account. */
  accountValues?: Record<string, string> | undefined
  /** The former name of `accountValues`, in the draft of a tab that has been open since before an upgrade. */
  own?: Record<string, string> | undefined
  /** The link that the form was opened by. */
  link?: OrderLink | undefined
  /** The promo code that was applied. */
  promo?: Promo | null | undefined
  /**
   * The idempotency key of a form that got no response, or whose provider did not respond, and what it contained: if it is sent again unchanged, it
   * is the same order.
   */
  sent?: { key: string; content: string } | undefined
  /** The idempotency keys with which the form was sent and whose orders may still be open; the next order replaces those orders. */
  openKeys?: readonly string[] | undefined
  /** A pending order: on returning to the form it is cancelled, because it will not be paid. */
  open?: { orderNumber: string; key: string } | undefined
}

/** `draftName`: the storefront's handle, or the path of another form, such as that of a renewal link. */
const keyOf = (draftName: string) => `masthead-order-${draftName.toLowerCase()}`
/** Passwords and cards are never stored in the browser, nor are fields that the page itself fills. */
const neverStored =
  /password|cardNumber|^(?:country|currency|total|idempotencyKey|scripted|what|intent|isSecondMeant)$/i
/**
 * The content of an order form that a draft or the page's address stores, without the payment method. It is equal after a reload if nothing was
 * changed.
 */
export function storedContentOf(form: HTMLFormElement | null): string {
  const fields = form ? [...new FormData(form)] : []
  const storedFields = fields.filter(
    ([name, value]) => value !== '' && (name === 'country' || !neverStored.test(name)) && !name.startsWith('payment.'),
  )
  return JSON.stringify(storedFields.sort())
}

const empty: OrderDraft = { values: {}, buyerId: null }

export function readDraft(draftName: string): OrderDraft | null {
  try {
    const text = sessionStorage.getItem(keyOf(draftName))
    return text ? { ...empty, ...(JSON.parse(text) as Partial<OrderDraft>) } : null
  } catch {
    // Storage is unavailable or contains something else: the form works without a draft.
    return null
  }
}

/** What is restored from a draft. Changes since then take precedence: a changed account, and a link that names another plan or promo code. */
export function restoreDraft(
  { values, buyerId, own = {}, accountValues = own, link = {}, promo = null }: OrderDraft,
  now: { buyerId: number | null; accountValues: Record<string, string>; link: OrderLink },
): { values: Record<string, string>; promo: Promo | null; hasTypedValues: boolean; isAccountChanged: boolean } {
  const hasNewLink = (part: keyof OrderLink) => now.link[part] !== undefined && now.link[part] !== link[part]
  const isSameBuyer = buyerId === now.buyerId
  const typed = { ...(buyerId === null || isSameBuyer ? values : withoutPersonalFields(values)) }
  const isAccountChanged = !isSameBuyer || JSON.stringify(accountValues) !== JSON.stringify(now.accountValues)
  if (hasNewLink('plan')) delete typed.plan
  if (hasNewLink('promo')) delete typed.promoCode
  return {
    values: isAccountChanged ? { ...typed, ...now.accountValues } : { ...now.accountValues, ...typed },
    promo: hasNewLink('promo') ? null : promo,
    hasTypedValues: Boolean(typed.email || typed.firstName),
    isAccountChanged,
  }
}

/** Merges a part into the draft. Fields that are not on the page now, such as an answer to another shop's question, are kept. */
export function saveDraft(draftName: string, part: Partial<OrderDraft>): void {
  const stored = readDraft(draftName) ?? empty
  const values = part.values
    ? {
        ...stored.values,
        ...Object.fromEntries(Object.entries(part.values).filter(([name]) => !neverStored.test(name))),
      }
    : stored.values
  try {
    sessionStorage.setItem(keyOf(draftName), JSON.stringify({ ...stored, ...part, values }))
  } catch {
    // Storage is full or forbidden: only the draft is lost.
  }
}

/** Deletes the drafts of a storefront and of its renewal links after the order and on log-out: no personal data remains in the browser. */
export function deleteOrderDraft(urlKey: string): void {
  try {
    const links = keyOf(`/${urlKey}/extend/`)
    for (const key of Object.keys(sessionStorage))
      if (key === keyOf(urlKey) || key.startsWith(links)) sessionStorage.removeItem(key)
  } catch {
    // Storage is unavailable.
  }
}
