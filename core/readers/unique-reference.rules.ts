const range = 10_000_000
/** Coprime to the range, so that stepping visits every number once, in an order that is not obvious. */
const step = 7_368_787

/** The capitals a publication's references begin with: "The Harbour Light" gives THL; RDR if the name has no letters or digits. */
export function referenceInitials(publicationName: string): string {
  const initials = publicationName
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => word.charAt(0))
    .join('')
  return initials.slice(0, 8) || 'RDR'
}

/**
 * The nth reference of a publication: its initials and 7 digits, never the same for two n. Beyond ten million the number gets another digit.
 * `shift` is the publication's own random number.
 */
export function uniqueReference(initials: string, n: number, shift: number): string {
  const round = Math.floor(n / range)
  // Both factors stay below 10^7, so the product is exact.
  const digits = (((n % range) * step + shift) % range).toString().padStart(7, '0')
  return `${initials}${round === 0 ? '' : round}${digits}`
}

/** A reference as it is stored and compared: two that look the same are the same. Accents are one character, and what nobody sees is left out. */
export function normaliseReference(text: string): string {
  if (printableAscii.test(text)) return text
  return text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Zs}/gu, ' ')
    .trim()
}

const printableAscii = /^[\x20-\x7e]*$/

export const referenceRange = range
