/**
 * A text that both databases and every encoder accept: NUL and unpaired surrogates, which no keyboard produces, become U+FFFD, as decoders do with
 * invalid bytes. Forms, the API, the command line and files all use it.
 */
export function storableText(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\ufffd')
}
