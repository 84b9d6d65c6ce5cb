/**
 * A text that both databases and every encoder accept: NUL and unpaired surrogates, which no keyboard produces, become U+FFFD, as decoders do with
 * invalid bytes. Forms, the API, the command line and files all use it.
 */
export function storableText(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** A value as JSON whose texts are storable. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  // JSON escapes both, and PostgreSQL refuses the escapes. A match may also be an escaped backslash before ordinary letters.
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? storableText(part) : part))
}
