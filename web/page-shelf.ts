interface Sized {
  bytes: number
}

/** Things by key, the longest unused of them let go when there are too many or they are too large together. */
export function pageShelf<Thing extends Sized>(most: { count: number; bytes: number }) {
  const things = new Map<string, Thing>()
  let bytes = 0

  function drop(key: string): void {
    bytes -= things.get(key)?.bytes ?? 0
    things.delete(key)
  }

  return {
    get(key: string): Thing | undefined {
      const thing = things.get(key)
      if (!thing) return undefined
      // Used now: a Map gives its keys in the order they were put in.
      things.delete(key)
      things.set(key, thing)
      return thing
    },
    put(key: string, thing: Thing): void {
      drop(key)
      if (thing.bytes > most.bytes) return
      things.set(key, thing)
      bytes += thing.bytes
      for (const oldest of things.keys()) {
        if (things.size <= most.count && bytes <= most.bytes) return
        drop(oldest)
      }
    },
    dropEach(isMeant: (thing: Thing) => boolean): void {
      for (const [key, thing] of things) if (isMeant(thing)) drop(key)
    },
  }
}
