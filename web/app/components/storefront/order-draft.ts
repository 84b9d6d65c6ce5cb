/** What is kept of an order form in the browser's tab, so that going back, a reload or a turn at a provider's page lose nothing. */
export interface OrderDraft {
  values: Record<string, string>
  /** The reader who was logged in while it was typed. */
  buyerId: number | null
  /** The key of a form that was sent and not answered yet: sent again it is the same order. */
  sentKey?: string | undefined
  /** An order that waits for its buyer's step: back on the form, nobody is going to pay it. */
  open?: { orderNumber: string; key: string } | undefined
}

const keyOf = (urlKey: string) => `masthead-order-${urlKey.toLowerCase()}`
/** Never in the browser: passwords and cards. Of no use later: what the page itself puts into the form. */
const notKept = /password|cardNumber|^(?:country|currency|total|idempotencyKey|scripted|what|intent|isSecondMeant)$/i
const empty: OrderDraft = { values: {}, buyerId: null }

export function readDraft(urlKey: string): OrderDraft | null {
  try {
    const text = sessionStorage.getItem(keyOf(urlKey))
    return text ? { ...empty, ...(JSON.parse(text) as Partial<OrderDraft>) } : null
  } catch {
    // No storage, or not ours: the form works without.
    return null
  }
}

/** Keeps a part of the draft beside the others. A field that is not on the page now, as an answer to another shop's question, stays. */
export function keepDraft(urlKey: string, part: Partial<OrderDraft>): void {
  const before = readDraft(urlKey) ?? empty
  const values = part.values
    ? { ...before.values, ...Object.fromEntries(Object.entries(part.values).filter(([name]) => !notKept.test(name))) }
    : before.values
  try {
    sessionStorage.setItem(keyOf(urlKey), JSON.stringify({ ...before, ...part, values }))
  } catch {
    // Full or forbidden: nothing is lost but the draft.
  }
}

/** After the order, and when somebody logs out: nothing personal stays behind. */
export function forgetDraft(urlKey: string): void {
  try {
    sessionStorage.removeItem(keyOf(urlKey))
  } catch {
    // There was none.
  }
}
