import { type FilledPhrase, phraseOf } from '../kernel/phrases.ts'

/** The message about an issue that cannot be ordered, on the page and from the server. */
export function soldOut(volume: string): FilledPhrase {
  return phraseOf('“{volume}” is out of stock. Please order without it.', { volume })
}

export function notOnSale(volume: string): FilledPhrase {
  return phraseOf('“{volume}” is no longer on sale. Please order without it.', { volume })
}

export function notSoldInCountry(volume: string): FilledPhrase {
  return phraseOf('“{volume}” is not sold in this country. Please order without it.', { volume })
}

/** An unknown issue, or one of another publication, is not found. */
export const unknownIssue = 'One of the issues is not on sale here. Please choose again.'
