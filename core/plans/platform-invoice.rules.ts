/** The VAT in an amount that includes it, rounded to the penny. */
export function vatWithin(total: number, percent: number | null): number {
  if (percent === null) return 0
  const vat = Math.round((Math.abs(total) * percent) / (100 + percent))
  return total < 0 ? -vat : vat
}

/** A prefix that no invoice of a publisher's own has. */
export const formatPlatformInvoiceNumber = (number: number) => `PLAN-${String(number).padStart(6, '0')}`
