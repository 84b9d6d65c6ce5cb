import { meantText } from './damaged-text.rules.ts'
import { type Phrase, phraseOf } from './phrases.ts'
import { shortened } from './text-format.ts'

/** The problem of a text such as “ZoÃ«”, which no user types on purpose; null for a good one. */
export function misreadProblem(text: string): Phrase | null {
  const meant = meantText(text)
  return meant === null
    ? null
    : phraseOf('“{text}” looks like “{meant}” saved in the wrong encoding. Please correct it.', {
        text: shortened(text.trim(), 100),
        meant: shortened(meant.trim(), 100),
      })
}
