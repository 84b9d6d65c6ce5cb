/**
 * Those who ask the same of one context at once share the answer; who asks once it is there asks again. `key` says what is asked. A failure
 * is shared, too.
 */
export function sharedReading<Result>(): (ctx: object, key: string, read: () => Promise<Result>) => Promise<Result> {
  const underWay = new WeakMap<object, Map<string, Promise<Result>>>()
  return (ctx, key, read) => {
    const pending = underWay.get(ctx) ?? new Map<string, Promise<Result>>()
    underWay.set(ctx, pending)
    const running = pending.get(key) ?? read().finally(() => pending.delete(key))
    pending.set(key, running)
    return running
  }
}
