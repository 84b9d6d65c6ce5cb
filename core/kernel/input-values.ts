/**
 * The text of a value that a program sent: a text, a number, true or false; null for anything else, which is then left to the schema to refuse. Never
 * `String()` on input: an object brings its own toString, and one that is not a function throws.
 */
export function inputText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** An id from the input; anything else is 0, which no row has. */
export function inputId(value: unknown): number {
  const text = inputText(value)?.trim() ?? ''
  const id = text === '' ? 0 : Number(text)
  return Number.isSafeInteger(id) ? id : 0
}
