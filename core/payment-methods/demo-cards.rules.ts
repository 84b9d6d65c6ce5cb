/** The card numbers that the demo gateway knows, as its page shows them. Any other number that passes the Luhn check is paid, too. */
export const demoCards = {
  paid: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  /** The bank asks the buyer first, on its own page. */
  needsAction: '4000002500003155',
  /** Paid immediately; an automatic renewal is declined, and retried. */
  declinedLater: '4000000000000341',
  /** Paid immediately; by the time of a renewal it was reported lost. */
  lostLater: '4000000000009987',
  /** Paid immediately; at a renewal the bank asks the buyer first. */
  confirmedLater: '4000003800000446',
} as const

/** A card number in groups of four, as cards print it. */
export function groupedCard(digits: string): string {
  return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

const declines: Record<string, string> = {
  [demoCards.declined]: 'The card was declined',
  [demoCards.insufficientFunds]: 'The card has insufficient funds',
}

/** Why the demo bank takes no money from a card; null if it does. */
export function demoCardProblem(digits: string): string | null {
  return declines[digits] ?? (passesLuhn(digits) ? null : 'The card number is not valid')
}

/** A typed card number without the separators between its groups. */
export function cardDigits(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '')
}

/** Whether the last digit of a card number is its correct check digit. */
export function passesLuhn(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    sum += index % 2 === 1 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return sum % 10 === 0
}
