/*
 * The rule for text on one line, for forms, calls, commands and files: line breaks, tabs and other control characters become a space, because they would
 * get into mail headers and CSV. NUL is not among them: `storableText` has replaced it.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for.
const controls = /[\x01-\x1f\x7f-\x9f\u2028\u2029]/

/** Whether a text has a character that does not belong on a line. */
export function hasControls(text: string): boolean {
  return controls.test(text)
}

export function oneLine(text: string): string {
  return hasControls(text) ? text.replaceAll(/\s*[\p{Cc}\u2028\u2029]+\s*/gu, ' ') : text
}
