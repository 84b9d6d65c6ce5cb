/** The card numbers that the demo gateway knows, as its page shows them. Any other number that passes the Luhn check is paid, too. */
export const demoCards = {
  paid: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  /** The bank asks the buyer first, on a page of its own. */
  needsAction: '4000002500003155',
  /** Paid at once; an automatic renewal is declined, and tried again. */
  declinedLater: '4000000000000341',
  /** Paid at once; by the time of a renewal it was reported lost. */
  lostLater: '4000000000009987',
  /** Paid at once; at a renewal the bank asks the buyer first. */
  confirmedLater: '4000003800000446',
} as const

/** A card number in groups of four, as cards print it. */
export function groupedCard(digits: string): string {
  return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
