import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { deferred } from '#tests/support/deferred.ts'
import { runConcurrently } from './run-concurrently.ts'

it('works on each item once, and on no more than the maximum at a time', async () => {
  const done: number[] = []
  let running = 0
  let mostRunning = 0
  const isStopped = await runConcurrently([1, 2, 3, 4, 5, 6, 7], { max: 3 }, async (item) => {
    mostRunning = Math.max(mostRunning, ++running)
    // Every other item that may start now does so first.
    await setImmediate()
    running--
    done.push(item)
  })
  expect([isStopped, mostRunning]).toEqual([false, 3])
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
})

it('starts no item after an abort, and says whether it left any', async () => {
  const abort = new AbortController()
  const started: number[] = []
  const stopAt = (last: number) => async (item: number) => {
    started.push(item)
    if (item === last) abort.abort()
  }
  expect(await runConcurrently([1, 2, 3], { max: 1, signal: abort.signal }, stopAt(2))).toBe(true)
  expect(started).toEqual([1, 2])
  const later = new AbortController()
  expect(await runConcurrently([1, 2], { max: 1, signal: later.signal }, async () => {})).toBe(false)
})

it('starts no item after a failure, and throws it once the started ones are done', async () => {
  const slow = deferred()
  const started: number[] = []
  const finished: number[] = []
  const run = runConcurrently([1, 2, 3, 4], { max: 2 }, async (item) => {
    started.push(item)
    if (item === 2) {
      slow.resolve()
      throw new Error('the second failed')
    }
    await slow.promise
    finished.push(item)
  })
  await expect(run).rejects.toThrow('the second failed')
  expect([started, finished]).toEqual([[1, 2], [1]])
})

it('throws when the list cannot be read, once the started items are done', async () => {
  const finished: number[] = []
  async function* broken() {
    yield 1
    throw new Error('no more rows')
  }
  const run = runConcurrently(broken(), { max: 2 }, async (item) => {
    await Promise.resolve()
    finished.push(item)
  })
  await expect(run).rejects.toThrow('no more rows')
  expect(finished).toEqual([1])
})
