/** A semaphore: runs at most `max` operations at a time, the others in the order they came. */
export function concurrencyLimit(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The slot is passed on directly, so that no other caller can take it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
