import { expect } from 'vitest'
import { selectTasks } from '#core/tasks/tasks.rows.ts'
import { makePublication, operator } from './factories.ts'
import { killedBeforeCommit } from './killed-process.ts'
import type { CaseTarget } from './task-cases/task-case.ts'
import { taskCases } from './task-cases/task-cases.ts'
import { allowLoopback } from './task-cases/transfer-cases.ts'
import type { TestServices } from './test-services.ts'
import { runWorker } from './worker.ts'

interface Kill {
  services: TestServices
  /** A row of `taskCases`. */
  name: string
  runBy: 'worker' | 'inline'
  /** The commit before which it is killed, counted from one. */
  commit: number
}

/**
 * Kills a kind of long work and expects that it completes by itself, exactly once, and that no user is
 * locked out. Work that only the command line can resume is started again, as its user would do.
 */
export async function expectToSurvive({ services, name, runBy, commit }: Kill): Promise<void> {
  const taskCase = taskCases[name]
  if (!taskCase) throw new Error(`There is no case ${name}`)
  const { id: publicationId, publisherId } = await makePublication(services)
  const target: CaseTarget = { ctx: services.as(operator), publicationId, folder: services.dataDir }
  const isOfThisCaseSql =
    '(publication_id = :publicationId OR (publication_id IS NULL AND publisher_id = :publisherId))'
  const newest = async () => {
    const tasks = await selectTasks(services.db, `kind = :kind AND ${isOfThisCaseSql} ORDER BY id DESC`, {
      kind: taskCase.kind,
      publicationId,
      publisherId,
    })
    return tasks[0] ?? null
  }
  await taskCase.prepare(services, target)
  const earlierTask = await newest()
  if (runBy === 'worker') await taskCase.worker?.start(target, services)
  const queued = await newest()
  const run = `{ taskId: ${queued?.id}, token: ${queued?.token} }`
  const targetCode = `{ ctx, publicationId: ${publicationId}, folder: ${JSON.stringify(target.folder)} }`
  await killedBeforeCommit(services, {
    commit,
    env: allowLoopback,
    imports: `
      import { runTask } from '#core/tasks/run-task.ts'
      import { taskCases } from '#tests/support/task-cases/task-cases.ts'
      import { taskHandlers } from '#worker/task-handlers.ts'`,
    body:
      runBy === 'worker'
        ? `await runTask(taskHandlers)({ ...ctx, actor: { kind: 'system' } }, ${run})`
        : `await taskCases[${JSON.stringify(name)}].inline.start(${targetCode})`,
  })
  const open = () =>
    selectTasks(services.db, `${isOfThisCaseSql} AND state IN ('waiting', 'running')`, { publicationId, publisherId })
  await runWorker(services, 60)
  await runWorker(services, 60)
  // If the process of an inner task died, its lease has not expired yet: the outer task retries until it has.
  for (let tries = 0; tries < 3 && (await open()).length > 0; tries++) await runWorker(services, 300)
  expect(await open()).toEqual([])
  const task = await newest()
  // Killed before it had begun, or while reading a file that only its own process has.
  const isUnfinished =
    task === null ||
    task.id === earlierTask?.id ||
    (runBy === 'inline' && task.onLost === 'interrupt' && task.state !== 'done')
  if (runBy === 'worker') expect(task).toMatchObject({ id: queued?.id, state: 'done' })
  else if (isUnfinished) await taskCase.inline?.start(target)
  else expect(task.state).toBe('done')
  expect(await taskCase.facts(target)).toEqual(taskCase.expected)
  await taskCase.next(target)
}
