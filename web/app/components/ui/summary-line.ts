import type { Translator } from '#core/kernel/translator.ts'

/** A problem in a form's summary: after the name of its field, unless it says by itself which field is meant. */
export function summaryLine(t: Translator, label: string | undefined, problem: string): string {
  if (label === undefined) return problem
  // Beside the field "Required" is enough; in a list of several it would say the same thing again and again.
  if (problem === t('Required')) return t('{field}: enter a value', { field: label })
  return names(problem, label) ? problem : t('{field}: {problem}', { field: label, problem })
}

/** "Enter your current password" names "Your current password", and so does "The current password is not right". */
function names(problem: string, label: string): boolean {
  const words = wordsOf(label)
  const telling = words.filter((word) => word.length > 3 && !possessives.has(word))
  const problemWords = wordsOf(problem)
  return (telling.length > 0 ? telling : words).every((word) => problemWords.includes(word))
}

/** Words of a label that a message may leave out; the shorter ones are short enough to be articles and the like. */
const possessives = new Set(['your', 'ihre', 'deine', 'votre', 'vostra', 'vostro'])

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
