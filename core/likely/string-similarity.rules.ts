const maxLength = 64
const hitsA = new Uint8Array(maxLength)
const hitsB = new Uint8Array(maxLength)

/** The Jaro-Winkler similarity of two texts, 0 to 1; only the first 64 characters are compared. */
export function stringSimilarity(a: string, b: string): number {
  if (a === b) return a === '' ? 0 : 1
  const lengthA = Math.min(a.length, maxLength)
  const lengthB = Math.min(b.length, maxLength)
  if (lengthA === 0 || lengthB === 0) return 0
  const reach = Math.max(0, (Math.max(lengthA, lengthB) >> 1) - 1)
  hitsA.fill(0, 0, lengthA)
  hitsB.fill(0, 0, lengthB)
  let common = 0
  for (let i = 0; i < lengthA; i++) {
    const code = a.charCodeAt(i)
    const end = Math.min(i + reach + 1, lengthB)
    for (let j = Math.max(0, i - reach); j < end; j++) {
      if (hitsB[j] || b.charCodeAt(j) !== code) continue
      hitsA[i] = 1
      hitsB[j] = 1
      common++
      break
    }
  }
  if (common === 0) return 0
  let swaps = 0
  for (let i = 0, j = 0; i < lengthA; i++) {
    if (!hitsA[i]) continue
    while (!hitsB[j]) j++
    if (a.charCodeAt(i) !== b.charCodeAt(j)) swaps++
    j++
  }
  const jaro = (common / lengthA + common / lengthB + (common - swaps / 2) / common) / 3
  let prefix = 0
  while (prefix < 4 && prefix < lengthA && prefix < lengthB && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++
  return jaro + prefix * 0.1 * (1 - jaro)
}
