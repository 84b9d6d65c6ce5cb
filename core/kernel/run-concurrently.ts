/**
 * Works through a list with limited concurrency: starts the next item as soon as one is done, until the signal is aborted or an item fails. Waits for
 * all started items, even if reading the list fails, then throws the first error. Returns whether the abort left any items.
 */
export async function runConcurrently<T>(
  list: Iterable<T> | AsyncIterable<T>,
  { max, signal }: { max: number; signal?: AbortSignal | undefined },
  work: (item: T) => Promise<void>,
): Promise<boolean> {
  let isStopped = false
  let hasFailed = false
  async function* itemsUntilStopped() {
    for await (const item of list) {
      if (hasFailed) return
      isStopped = signal?.aborted ?? false
      if (isStopped) return
      yield item
    }
  }
  const items = itemsUntilStopped()
  const workers = Array.from({ length: max }, async () => {
    for (let next = await items.next(); !next.done; next = await items.next()) {
      await work(next.value).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  })
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason
  return isStopped
}
