import { meantText } from './damaged-text.rules.ts'
import { type Phrase, phraseOf } from './phrases.ts'

/** The problem of a text such as “ZoÃ«”, which nobody types on purpose; null for a good one. */
export function misreadProblem(text: string): Phrase | null {
  const meant = meantText(text)
  return meant === null
    ? null
    : phraseOf('“{text}” looks like “{meant}” saved in the wrong encoding. Please correct it.', {
        text: clip(text.trim()),
        meant: clip(meant.trim()),
      })
}

const clip = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
