/** The eight consent flags of a reader. True is opted out, as the checkboxes and the reader file say. */
export const optOuts = [
  { field: 'pubOffers', label: 'Publication offers by email' },
  { field: 'pubOffersPost', label: 'Publication offers by post' },
  { field: 'pubOffersTel', label: 'Publication offers by telephone' },
  { field: 'pubOffersSms', label: 'Publication offers by SMS' },
  { field: 'partnerOffers', label: 'Partner offers by email' },
  { field: 'partnerOffersPost', label: 'Partner offers by post' },
  { field: 'partnerOffersTel', label: 'Partner offers by telephone' },
  { field: 'partnerOffersSms', label: 'Partner offers by SMS' },
] as const

export type OptOut = (typeof optOuts)[number]['field']
export type OptOuts = Record<OptOut, boolean>

/** A new reader has opted out of everything until they choose otherwise. */
export function allOptedOut(): OptOuts {
  return Object.fromEntries(optOuts.map(({ field }) => [field, true])) as OptOuts
}
