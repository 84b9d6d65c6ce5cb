/**
 * Whether a file's name matches a pattern with * (any characters) and ? (one), in any case. Hidden files match only
 * patterns that begin with a dot.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false
  let textIndex = 0
  let globIndex = 0
  let lastStar = -1
  let retryIndex = 0
  const text = name.toLowerCase()
  const glob = pattern.toLowerCase()
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
