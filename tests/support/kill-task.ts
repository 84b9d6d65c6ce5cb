import { expect } from 'vitest'
import { selectTasks } from '#core/tasks/tasks.rows.ts'
import { makePublication, operator } from './factories.ts'
import { killedBeforeCommit } from './killed-process.ts'
import { type At, taskCases, toThisMachine } from './task-cases.ts'
import type { TestServices } from './test-services.ts'
import { work } from './worker.ts'

interface Kill {
  services: TestServices
  /** A row of `taskCases`. */
  name: string
  runBy: 'worker' | 'inline'
  /** The commit before which it is killed, counted from one. */
  commit: number
}

/**
 * Kills a kind of long work and expects that it completes by itself, exactly once, and that nobody is
 * locked out. What only the command line can resume is run again, as its user would.
 */
export async function expectToSurvive({ services, name, runBy, commit }: Kill): Promise<void> {
  const taskCase = taskCases[name]
  if (!taskCase) throw new Error(`There is no case ${name}`)
  const { id: publicationId, publisherId } = await makePublication(services)
  const at: At = { ctx: services.as(operator), publicationId, folder: services.dataDir }
  const isIts = '(publication_id = :publicationId OR (publication_id IS NULL AND publisher_id = :publisherId))'
  const newest = async () => {
    const tasks = await selectTasks(services.db, `kind = :kind AND ${isIts} ORDER BY id DESC`, {
      ...{ kind: taskCase.kind, publicationId, publisherId },
    })
    return tasks[0] ?? null
  }
  await taskCase.prepare(services, at)
  const before = await newest()
  if (runBy === 'worker') await taskCase.worker?.start(at, services)
  const asked = await newest()
  const run = `{ taskId: ${asked?.id}, token: ${asked?.token} }`
  const own = `{ ctx, publicationId: ${publicationId}, folder: ${JSON.stringify(at.folder)} }`
  await killedBeforeCommit(services, {
    commit,
    env: toThisMachine,
    imports: `
      import { runTask } from '#core/tasks/run-task.ts'
      import { taskCases } from '#tests/support/task-cases.ts'
      import { taskWorks } from '#worker/task-works.ts'`,
    body:
      runBy === 'worker'
        ? `await runTask(taskWorks)({ ...ctx, actor: { kind: 'system' } }, ${run})`
        : `await taskCases[${JSON.stringify(name)}].inline.start(${own})`,
  })
  const open = () =>
    selectTasks(services.db, `${isIts} AND state IN ('waiting', 'running')`, { publicationId, publisherId })
  await work(services, 60)
  await work(services, 60)
  // A task whose inner task lost its process finds that one's lease still running for a moment, and retries.
  for (let tries = 0; tries < 3 && (await open()).length > 0; tries++) await work(services, 300)
  expect(await open()).toEqual([])
  const task = await newest()
  // Killed before it had begun, or while reading a file that only its own process has.
  const isLeft =
    task === null ||
    task.id === before?.id ||
    (runBy === 'inline' && task.onLost === 'interrupt' && task.state !== 'done')
  if (runBy === 'worker') expect(task).toMatchObject({ id: asked?.id, state: 'done' })
  else if (isLeft) await taskCase.inline?.start(at)
  else expect(task.state).toBe('done')
  expect(await taskCase.facts(at)).toEqual(taskCase.whole)
  await taskCase.next(at)
}
