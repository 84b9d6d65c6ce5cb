/** Words of schemas, code and databases, which mean nothing to a caller. */
const technicalWords =
  /\bexpected\b|\breceived\b|invalid input|invalid option|\bNaN\b|\bundefined\b|\[object|\bnull\b|\bschema\b|\bSQL|\bconstraint\b|\bboolean\b|\binteger\b|≥|≤|>=|<=|\$\{|\{\w+\}/i

/** Words for somebody at a page, which a program does not have. */
const pageWords = /\bfrom the list\b|\breload\b|\bthe page\b|\bthis page\b|\bbutton\b|\btick\b|\bpress\b|\bclick\b/i

/** Capitals inside a word that are not identifiers. */
const brandNames = new Set(['PayPal', 'DirectDebit'])

/** The problems with the text of a refusal; none for a success. `allowedNames` are the names a caller may have sent. */
export function problemsOf(status: number, text: string, allowedNames: readonly string[]): string[] {
  if (status >= 500) return [`${status} ${text.slice(0, 200)}`]
  if (status < 400) return []
  const body = parsed(text)
  if (body === null) return [`${status} is not a JSON object: ${text.slice(0, 100)}`]
  return Object.entries(body).flatMap(([name, problem]) => {
    // A string is the message of the error as a whole; older clients of the address lookup expect `Message`.
    // A form field may have this name, too.
    const message = typeof problem === 'string' ? problem : (problem as { message?: unknown } | null)?.message
    const isAllowed = /^message$/i.test(name) || allowedNames.includes(name.split('.')[0] as string)
    return [
      ...(isAllowed ? [] : [`${status} names "${name}", which the document does not`]),
      ...sentenceProblems(message, allowedNames).map(
        (fault) => `${status} ${name} says ${JSON.stringify(message)}: ${fault}`,
      ),
    ]
  })
}

function sentenceProblems(message: unknown, allowedNames: readonly string[]): string[] {
  if (typeof message !== 'string') return ['no text']
  const codeNames = (message.match(/\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*/g) ?? []).filter(
    (word) => !brandNames.has(word) && !allowedNames.includes(word),
  )
  return [
    ...(technicalWords.test(message) ? ['technical words'] : []),
    ...(pageWords.test(message) ? ['words for a page'] : []),
    ...(codeNames.length > 0 ? [`identifiers (${codeNames.join(', ')})`] : []),
    ...(/^[\p{Lu}\p{N}“"]/u.test(message) && /\s|^Required$/.test(message) ? [] : ['not a sentence']),
    ...(message.length > 400 ? ['too long'] : []),
  ]
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : null
  } catch {
    return null
  }
}
