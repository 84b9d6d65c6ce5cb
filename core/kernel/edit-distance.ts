const maxLength = 64
const rows = [new Uint8Array(maxLength + 1), new Uint8Array(maxLength + 1), new Uint8Array(maxLength + 1)] as const

/**
 * Edit distance (optimal string alignment): how many letters have to be inserted, deleted, replaced or swapped with their neighbour to turn one text
 * into the other; `limit + 1` if it is more than `limit`. Only the first 64 characters are compared.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0
  let endA = Math.min(a.length, maxLength)
  let endB = Math.min(b.length, maxLength)
  if (Math.abs(endA - endB) > limit) return limit + 1
  // A common beginning and end do not affect the distance.
  let from = 0
  while (from < endA && from < endB && a.charCodeAt(from) === b.charCodeAt(from)) from++
  while (endA > from && endB > from && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const lengthA = endA - from
  const lengthB = endB - from
  if (lengthA === 0 || lengthB === 0) return Math.min(Math.max(lengthA, lengthB), limit + 1)
  let [older, before, row] = rows as unknown as [Uint8Array, Uint8Array, Uint8Array]
  for (let j = 0; j <= lengthB; j++) before[j] = j
  for (let i = 1; i <= lengthA; i++) {
    const code = a.charCodeAt(from + i - 1)
    row[0] = i
    let min = i
    for (let j = 1; j <= lengthB; j++) {
      const other = b.charCodeAt(from + j - 1)
      let cost = (before[j - 1] as number) + (code === other ? 0 : 1)
      if ((before[j] as number) + 1 < cost) cost = (before[j] as number) + 1
      if ((row[j - 1] as number) + 1 < cost) cost = (row[j - 1] as number) + 1
      if (i > 1 && j > 1 && code === b.charCodeAt(from + j - 2) && other === a.charCodeAt(from + i - 2)) {
        if ((older[j - 2] as number) + 1 < cost) cost = (older[j - 2] as number) + 1
      }
      row[j] = cost
      if (cost < min) min = cost
    }
    if (min > limit) return limit + 1
    ;[older, before, row] = [before, row, older]
  }
  return Math.min(before[lengthB] as number, limit + 1)
}
