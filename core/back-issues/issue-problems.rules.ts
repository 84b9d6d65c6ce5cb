import { type FilledPhrase, phraseOf } from '../kernel/phrases.ts'

/** The message about an issue that cannot be ordered, on the page and from the server. */
export function soldOutMessage(volume: string): FilledPhrase {
  return phraseOf('“{volume}” is out of stock. Please remove it from your order.', { volume })
}

export function notOnSaleMessage(volume: string): FilledPhrase {
  return phraseOf('“{volume}” is no longer on sale. Please remove it from your order.', { volume })
}

export function notSoldInCountryMessage(volume: string): FilledPhrase {
  return phraseOf('“{volume}” is not sold in this country. Please remove it from your order.', { volume })
}

/** The same message for an issue that does not exist and for one of another publication. */
export const unknownIssueMessage = 'One of the issues is not on sale here. Please choose again.'
