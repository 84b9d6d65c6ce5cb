/** A 32-bit hash of a text: equal texts have equal ones. 0 is reserved for the empty text. */
export function wordHash(text: string): number {
  if (text === '') return 0
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  hash ^= hash >>> 13
  return hash >>> 0 || 1
}

/** One hash of two; never 0, and dependent on their order. */
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
