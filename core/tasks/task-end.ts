import { setTimeout } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { Task } from './task.ts'
import { taskById } from './tasks.rows.ts'

/** Short, since some tasks are done almost immediately. */
const firstPauseMs = 25
const maxPauseMs = 1_000

/**
 * Waits until a task of another process has ended (done, failed, cancelled or interrupted), or until a run has failed and the task waits for the next
 * one: its `problem` then says why. Returns the task. Aborting the signal only ends the waiting.
 */
export async function taskEnd<Cursor>(
  ctx: Pick<AppContext, 'db'>,
  id: number,
  signal?: AbortSignal,
): Promise<Task<Cursor>> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const task = await taskById<Cursor>(ctx.db, id)
    if (!task) throw new Error(`There is no task ${id}`)
    const isUnfinished = task.state === 'running' || (task.state === 'waiting' && task.problem === null)
    if (!isUnfinished) return task
    await setTimeout(pauseMs, undefined, { signal })
  }
}
