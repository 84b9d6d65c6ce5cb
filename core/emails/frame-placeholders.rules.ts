import type { framePlaceholderNames } from '../kernel/placeholders.rules.ts'
import type { MailFrame } from './mail-frame.rules.ts'

/** The placeholders that every email of a publication has. */
export function framePlaceholders(frame: MailFrame): Record<(typeof framePlaceholderNames)[number], string> {
  return {
    publication: frame.publicationName,
    publisher: frame.publisherName,
    'contact email': frame.contactEmail,
    'shop address': frame.storefrontUrl,
  }
}
