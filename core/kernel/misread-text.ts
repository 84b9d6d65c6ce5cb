import { correctedText } from './damaged-text.rules.ts'
import { type Phrase, phraseOf } from './phrases.ts'
import { shortened } from './text-format.ts'

/** The problem of a text such as “ZoÃ«”, which no user types on purpose; null for a good one. */
export function misreadProblem(text: string): Phrase | null {
  const corrected = correctedText(text)
  return corrected === null
    ? null
    : phraseOf('“{text}” looks like “{meant}” saved in the wrong encoding. Please correct it.', {
        text: shortened(text.trim(), 100),
        meant: shortened(corrected.trim(), 100),
      })
}
