export interface Deferred<Value> {
  promise: Promise<Value>
  resolve(value: Value): void
}

/** A promise that is resolved from outside, like `Promise.withResolvers`, which Node 20 lacks. */
export function deferred<Value = void>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}
