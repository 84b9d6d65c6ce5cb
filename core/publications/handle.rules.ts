/** The first parts of the product's own addresses: a storefront with such a handle could not be reached. A test compares them with the routes. */
const reservedHandles: ReadonlySet<string> = new Set(
  `account addbackissue addpromo addpublication addpublisher addreader adduser admin api assets avatars backissues
   browser-faults circulation contactme dashboard demo-bank dev downloads editbackissue editpromo editpublication editreader edituser emailtemplates favicon forgot
   healthz howto images index invoices login logout mailingfile mailinglayouts maillog managedata media neworder oauth ordercancel orderdetails ordersuccess payments privacy
   promocodes publications publishers purchasereceipt readers readyz renewalreceipt renewals reset robots searchreaders signup signups
   sitemap slogin static success testimonials testst thirdparty uploadadditional uploadaddandcombine uploadpostcodes
   uploadreplacement users webhooks well-known www`.split(/\s+/),
)

export const handleMessages = {
  characters: 'Only alphanumeric characters, underscores and hyphens allowed',
  taken: 'That handle has already been taken. Please try another.',
} as const

export const handlePattern = /^[A-Za-z0-9_-]+$/

/** Whether a handle, in any case, is one of the product's own addresses. */
export function isReservedHandle(handle: string): boolean {
  const key = handle.trim().toLowerCase()
  // /reset{product}/{token} begins with a different word for each product.
  return reservedHandles.has(key) || key.startsWith('reset')
}

/** A handle derived from a name, as the form fills it in: "The Gardener & Co" is the-gardener-co. */
export function handleFrom(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
}
