/** A declined charge in one or two sentences: the outcome, and the provider's reason if it says more than that it was declined. */
export function declinedMessage(outcome: string, reason: string): string {
  const isGenericReason = /^((your|the) card was declined)?\.?$/i.test(reason.trim())
  return isGenericReason ? `${outcome}.` : `${outcome}. ${reason}`
}
