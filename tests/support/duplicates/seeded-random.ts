/** Random numbers that are the same on every machine for the same seed. */
export interface SeededRandom {
  /** 0 up to `sides`, exclusive. */
  roll(sides: number): number
  pick<T>(list: readonly T[]): T
  /** One of a list whose first members are the most frequent, as with names. */
  common<T>(list: readonly T[]): T
  chance(share: number): boolean
}

export function seededRandom(seed: number): SeededRandom {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const roll = (sides: number) => Math.floor(next() * sides)
  return {
    roll,
    pick: <T>(list: readonly T[]) => list[roll(list.length)] as T,
    common: <T>(list: readonly T[]) => list[Math.floor(list.length * next() ** 1.9)] as T,
    chance: (share) => next() < share,
  }
}
