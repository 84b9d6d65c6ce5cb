/** A 32-bit hash of a text. 0 is reserved for the empty text. */
export function wordHash(text: string): number {
  return text === '' ? 0 : finished(addedText(seed, text))
}

/** `wordHash` of those characters of a text that are in a range, followed by `rest`, without building that string. */
export function filteredHash(text: string, [lowest, highest]: readonly [string, string], rest = ''): number {
  const from = lowest.charCodeAt(0)
  const to = highest.charCodeAt(0)
  let hash = seed
  let isEmpty = rest === ''
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < from || code > to) continue
    hash = Math.imul(hash ^ code, prime)
    isEmpty = false
  }
  return isEmpty ? 0 : finished(addedText(hash, rest))
}

/** The parameters of FNV-1a; `finished` then mixes the bits of its hash. */
const seed = 0x811c9dc5
const prime = 0x01000193

function addedText(hash: number, text: string): number {
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), prime)
  return hash
}

function finished(hash: number): number {
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  hash ^= hash >>> 13
  return hash >>> 0 || 1
}

/** Combines two hashes into one; never 0, and dependent on their order. */
export function mixed(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b1, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  hash ^= hash >>> 13
  return hash >>> 0 || 1
}

/** The letters a to z of a text, one bit each. */
export function letterSet(text: string): number {
  let letters = 0
  for (let index = 0; index < text.length; index++) {
    const place = text.charCodeAt(index) - 97
    if (place >= 0 && place < 26) letters |= 1 << place
  }
  return letters
}
