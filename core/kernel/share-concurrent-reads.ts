/**
 * Shares concurrent reads: callers with the same context and key share one result while it is being read; a later call reads again. `key` identifies
 * the query. A failure is shared, too.
 */
export function shareConcurrentReads<Result>(): (
  ctx: object,
  key: string,
  read: () => Promise<Result>,
) => Promise<Result> {
  const underWay = new WeakMap<object, Map<string, Promise<Result>>>()
  return (ctx, key, read) => {
    const pending = underWay.get(ctx) ?? new Map<string, Promise<Result>>()
    underWay.set(ctx, pending)
    const running = pending.get(key) ?? read().finally(() => pending.delete(key))
    pending.set(key, running)
    return running
  }
}
