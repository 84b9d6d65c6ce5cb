import type { Translator } from '#core/kernel/translator.ts'

/** A line of the error summary: prefixed with the field's label, unless the message names the field itself. */
export function summaryLine(t: Translator, label: string | undefined, problem: string): string {
  if (label === undefined) return problem
  // "Required" is enough at the field; in the summary the sentence must name the field.
  if (problem === t('Required')) return t('{field}: enter a value', { field: label })
  return namesField(problem, label) ? problem : t('{field}: {problem}', { field: label, problem })
}

/** "Enter your current password" names "Your current password", and so does "The current password is wrong". */
function namesField(problem: string, label: string): boolean {
  const words = wordsOf(label)
  const significant = words.filter((word) => word.length > 3 && !possessives.has(word))
  const problemWords = wordsOf(problem)
  return (significant.length > 0 ? significant : words).every((word) => problemWords.includes(word))
}

/** Left out of many messages, so not significant. */
const possessives = new Set(['your', 'ihre', 'deine', 'votre', 'vostra', 'vostro'])

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
