/**
 * Whether a file's name matches a pattern with * (any characters) and ? (one), in any case. Hidden files match only
 * patterns that begin with a dot.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false
  let [at, from, star, tried] = [0, 0, -1, 0]
  const [text, glob] = [name.toLowerCase(), pattern.toLowerCase()]
  // Backtracks only to the last star, so no pattern makes it slow.
  while (at < text.length) {
    if (glob[from] === '*') {
      star = from++
      tried = at
    } else if (from < glob.length && (glob[from] === '?' || glob[from] === text[at])) {
      at++
      from++
    } else if (star >= 0) {
      from = star + 1
      at = ++tried
    } else return false
  }
  while (glob[from] === '*') from++
  return from === glob.length
}
