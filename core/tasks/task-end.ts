import { setTimeout } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { Task } from './task.ts'
import { taskById } from './tasks.rows.ts'

/** In milliseconds. Short, as some work is done almost immediately. */
const firstPause = 25
const maxPause = 1_000

/**
 * Waits for the end of a task that another process works on, and returns it: done, failed, cancelled or interrupted. Returns it too when a
 * run failed and it waits for the next one; its `problem` says why. An abort of the signal only ends the waiting.
 */
export async function taskEnd<Cursor>(
  ctx: Pick<AppContext, 'db'>,
  id: number,
  signal?: AbortSignal,
): Promise<Task<Cursor>> {
  for (let pause = firstPause; ; pause = Math.min(pause * 1.5, maxPause)) {
    const task = await taskById<Cursor>(ctx.db, id)
    if (!task) throw new Error(`There is no task ${id}`)
    const isUnderWay = task.state === 'running' || (task.state === 'waiting' && task.problem === null)
    if (!isUnderWay) return task
    await setTimeout(pause, undefined, { signal })
  }
}
