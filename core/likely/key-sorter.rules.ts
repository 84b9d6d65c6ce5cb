const digitBits = 11
const digits = 1 << digitBits

/** Sorts 32-bit keys and their readers by radix sort: faster than comparing keys, and in reused memory. */
export class KeySorter {
  /** The keys in order, after `sort`. */
  sorted: Uint32Array
  /** The readers of the sorted keys; readers with the same key stay in the order they were added. */
  readers: Uint32Array
  #otherKeys: Uint32Array
  #otherReaders: Uint32Array
  readonly #ends = new Uint32Array(digits)

  constructor(max: number) {
    this.sorted = new Uint32Array(max)
    this.readers = new Uint32Array(max)
    this.#otherKeys = new Uint32Array(max)
    this.#otherReaders = new Uint32Array(max)
  }

  /** Sorts all keys of the readers from 0 to `count` - 1, without keys that are 0; returns how many there are. */
  sort(count: number, keys: readonly ((reader: number) => number)[]): number {
    let used = 0
    for (const keyOf of keys) {
      for (let reader = 0; reader < count; reader++) {
        const key = keyOf(reader)
        if (key === 0) continue
        this.sorted[used] = key
        this.readers[used++] = reader
      }
    }
    for (let shift = 0; shift < 32; shift += digitBits) this.#sortDigit(shift, used)
    return used
  }

  #sortDigit(shift: number, used: number): void {
    const ends = this.#ends.fill(0)
    const keys = this.sorted
    const readers = this.readers
    const toKeys = this.#otherKeys
    const toReaders = this.#otherReaders
    for (let index = 0; index < used; index++) {
      const digit = ((keys[index] as number) >>> shift) & (digits - 1)
      ends[digit] = (ends[digit] as number) + 1
    }
    let start = 0
    for (let digit = 0; digit < digits; digit++) {
      const size = ends[digit] as number
      ends[digit] = start
      start += size
    }
    for (let index = 0; index < used; index++) {
      const key = keys[index] as number
      const digit = (key >>> shift) & (digits - 1)
      const place = ends[digit] as number
      ends[digit] = place + 1
      toKeys[place] = key
      toReaders[place] = readers[index] as number
    }
    this.sorted = toKeys
    this.readers = toReaders
    this.#otherKeys = keys
    this.#otherReaders = readers
  }
}
