/** The draft of an order form in session storage, so that going back, reloading or returning from a provider's page loses nothing. */
export interface OrderDraft {
  values: Record<string, string>
  /** The reader who was logged in. */
  buyerId: number | null
  /** The idempotency key of a form that got no response: sent again, it is the same order. */
  sentKey?: string | undefined
  /** A pending order: on returning to the form it is cancelled, because it will not be paid. */
  open?: { orderNumber: string; key: string } | undefined
}

const keyOf = (urlKey: string) => `masthead-order-${urlKey.toLowerCase()}`
/** Passwords and cards are never stored in the browser, nor are fields that the page itself fills. */
const neverStored =
  /password|cardNumber|^(?:country|currency|total|idempotencyKey|scripted|what|intent|isSecondMeant)$/i
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

/** After the order, and on log-out: no personal data remains in the browser. */
export function deleteOrderDraft(urlKey: string): void {
  try {
    sessionStorage.removeItem(keyOf(urlKey))
  } catch {
    // Storage is unavailable.
  }
}
