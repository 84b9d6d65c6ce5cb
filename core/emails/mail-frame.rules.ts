/** The frame of every email: the publication it is about, or the product itself. */
export interface MailFrame {
  publicationName: string
  publisherName: string
  publisherAddress: string
  contactEmail: string
  telephone: string
  /** An absolute web address, or empty. */
  logoUrl: string
  storefrontUrl: string
  color: string
}

/** A line of an email's table. */
export interface MailRow {
  label: string
  value: string
}

/** The rows that have a value. */
export function nonEmptyRows(rows: readonly MailRow[]): MailRow[] {
  return rows.filter(({ value }) => value !== '')
}

/** The paragraphs of a text that a publisher wrote. */
export function paragraphs(text: string): string[] {
  return text
    .split(/\r?\n\s*\r?\n|\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The publisher's address in one line, with no line break inside the postcode. */
export function publisherAddressOf(part: (column: string) => string): string {
  const lines = ['address_one', 'address_two', 'address_three', 'address_four'].map(part)
  return [...lines, part('post_zip').replaceAll(' ', '\u00A0')].filter(Boolean).join(', ')
}

export const sampleFrame: MailFrame = {
  publicationName: 'Harbour Light',
  publisherName: 'Quayside Press',
  publisherAddress: '2 Custom House Quay, Falmouth, TR11\u00A03JT',
  contactEmail: 'readers@harbour-light.example',
  telephone: '01326 496 0123',
  logoUrl: '',
  storefrontUrl: 'https://subscriptions.example.com/harbour-light',
  color: '#12455C',
}

/** In the product's own name. */
export const fromProduct = { fromName: 'Masthead' }

/** The frame of the product's own emails, which are not about a publication. */
export function productFrame(appUrl: string): MailFrame {
  return {
    publicationName: fromProduct.fromName,
    publisherName: fromProduct.fromName,
    publisherAddress: appUrl,
    contactEmail: '',
    telephone: '',
    logoUrl: '',
    storefrontUrl: appUrl,
    color: '#1D4F91',
  }
}

/** The sender in a publication's name, with replies to it, or the sender that its publisher has set: for emails to readers. */
export function fromPublication({ publicationName, contactEmail }: MailFrame): {
  fromName: string
  replyTo?: string
  isToReader: true
} {
  return { isToReader: true, fromName: publicationName, ...(contactEmail ? { replyTo: contactEmail } : {}) }
}
