/**
 * A text that both databases and every encoder take: a NUL and half of a surrogate pair, which no keyboard has, are U+FFFD, what decoders make
 * of bytes that are no character. Forms, the API, the command line and files all go by it.
 */
export function storableText(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\ufffd')
}
