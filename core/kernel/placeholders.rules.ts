import { quoted } from './text-format.ts'

const placeholder = /\{\{([^{}\n]*)\}\}/g

/** The value of each placeholder of an email, by its name: `{{order number}}`. */
export type PlaceholderValues = Readonly<Record<string, string>>

/** A publisher's text with its placeholders filled in. A value is one line, so that a buyer's input cannot add paragraphs. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replaceAll(placeholder, (whole, name: string) => {
    const value = values[name.trim().toLowerCase()]
    return value === undefined ? whole : value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  })
}

/** What is wrong with the placeholders of a text; null when nothing is. */
function placeholderProblem(text: string, names: readonly string[]): string | null {
  const [unknown] = [...text.matchAll(placeholder)].filter(
    ([, name = '']) => !names.includes(name.trim().toLowerCase()),
  )
  const known = names.map((name) => `{{${name}}}`).join(', ')
  if (unknown) return `${quoted(unknown[0])} is not a placeholder of this email: use ${known}`
  if (/\{\{|\}\}/.test(text.replaceAll(placeholder, '')))
    return `A placeholder has two braces on each side, such as {{${names[0]}}}: look at ${quoted(textAround(text))}`
  return null
}

/** The text around the first brace that does not belong to a placeholder. */
function textAround(text: string): string {
  const blanked = text.replaceAll(placeholder, (whole) => ' '.repeat(whole.length))
  const index = blanked.search(/\{\{|\}\}/)
  return text.slice(Math.max(0, index - 10), index + 20).replaceAll('\n', ' ')
}

/** What is wrong with the placeholders of several texts, by the name of the text; empty when nothing is. */
export function placeholderProblems(
  texts: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  const problems = Object.entries(texts).map(([field, text]) => [field, placeholderProblem(text, names)])
  return Object.fromEntries(problems.filter(([, problem]) => problem !== null))
}

/** The placeholders that every email of a publication has. */
export const framePlaceholderNames = ['publication', 'publisher', 'contact email', 'shop address'] as const
