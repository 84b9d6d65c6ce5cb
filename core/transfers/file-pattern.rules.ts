/**
 * Whether a file's name matches a pattern with * (any characters) and ? (one), in any case. Hidden files match only
 * patterns that begin with a dot.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false
  let [textIndex, globIndex, lastStar, retryIndex] = [0, 0, -1, 0]
  const [text, glob] = [name.toLowerCase(), pattern.toLowerCase()]
  // Backtracks only to the last star, so no pattern makes it slow.
  while (textIndex < text.length) {
    if (glob[globIndex] === '*') {
      lastStar = globIndex++
      retryIndex = textIndex
    } else if (globIndex < glob.length && (glob[globIndex] === '?' || glob[globIndex] === text[textIndex])) {
      textIndex++
      globIndex++
    } else if (lastStar >= 0) {
      globIndex = lastStar + 1
      textIndex = ++retryIndex
    } else return false
  }
  while (glob[globIndex] === '*') globIndex++
  return globIndex === glob.length
}
