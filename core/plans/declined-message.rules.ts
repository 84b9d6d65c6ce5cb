/** A declined charge in one or two sentences: what follows, and the provider's reason if it says more than that it was declined. */
export function declinedMessage(what: string, reason: string): string {
  const isGenericReason = /^((your|the) card was declined)?\.?$/i.test(reason.trim())
  return isGenericReason ? `${what}.` : `${what}. ${reason}`
}
