/** A number of 32 bits for a text: equal texts have equal ones. 0 is the empty text's alone. */
export function wordHash(text: string, seed = 0x811c9dc5): number {
  if (text === '') return 0
  let hash = seed
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  hash ^= hash >>> 13
  return hash >>> 0 || 1
}
