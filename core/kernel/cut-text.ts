/** The start of a text, at most this many UTF-16 code units long: a character of two, such as an emoji, is left out and never cut in half. */
export function cutText(text: string, length: number): string {
  const start = text.slice(0, length)
  return start.isWellFormed() || !text.isWellFormed() ? start : start.slice(0, -1)
}
