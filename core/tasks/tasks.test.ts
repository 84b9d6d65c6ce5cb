import { beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { actorOf, makePublication, operator, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { handlers } from '#worker/handlers/index.ts'
import { taskHandlers } from '#worker/task-handlers.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { cancelTask } from './cancel-task.ts'
import { expectLease } from './lease.ts'
import { ownTask } from './own-task.ts'
import { runInline, runTask } from './run-task.ts'
import { resumeInline, resumeTask, startInline, startTask } from './start-task.ts'
import { sweepTasks } from './sweep-tasks.ts'
import type { Task, TaskHandler, TaskRun } from './task.ts'
import { taskById } from './tasks.rows.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const kind = 'import-postcodes'
const busy = () => conflict('Another one is running')

async function makeFixture() {
  const publication = await makePublication(services)
  const actor = await actorOf(services, 'publisher', publication.publisherId)
  return { publication, ctx: services.as(actor), userId: actor.kind === 'staff' ? actor.userId : 0 }
}
type Fixture = Awaited<ReturnType<typeof makeFixture>>

const requestTask = ({ publication, ctx }: Fixture, more: object = {}) =>
  startTask(ctx, kind, { publication, subjectId: 1, lockKey: `test:${publication.id}`, busy, ...more })

interface CountingOptions {
  steps?: number
  /** Called by each step before it commits. */
  during?: (n: number, run: TaskRun<number>) => Promise<unknown> | unknown
}

/** Counts to `steps`, one per step, and records what was committed. */
function countingHandler({
  steps = 3,
  during,
}: CountingOptions = {}): TaskHandler<number> & { opened: number[]; ends: string[] } {
  const opened: number[] = []
  const ends: string[] = []
  return {
    opened,
    ends,
    transactions: 'engine',
    async open(_, run) {
      let count = run.task.cursor ?? 0
      opened.push(count)
      return {
        async step() {
          await during?.(count + 1, run)
          count++
          return { cursor: count, done: count, counts: { committed: count }, isLast: count >= steps }
        },
      }
    },
    async finish(_, { state }) {
      ends.push(state)
    },
  }
}

/** Counts with its own transactions: what `during` does is committed separately. */
const selfCommittingHandler = (options: CountingOptions = {}): ReturnType<typeof countingHandler> => {
  const work = countingHandler(options)
  return {
    ...work,
    transactions: 'own',
    async open(ctx, run) {
      const { step } = await work.open(ctx, run)
      return {
        async step() {
          const { isLast, ...progress } = await step()
          await ctx.db.transaction(() => run.checkpoint(progress))
          return { isLast }
        },
      }
    },
  }
}

const handlersWith = (work: TaskHandler<number>) => ({ ...taskHandlers, [kind]: work })
const reload = (task: Task) => taskById(services.db, task.id)

/** Runs a worker's pass over the outbox with this work, `inSeconds` from now. */
async function runWorkerPass(work: TaskHandler<number>, inSeconds = 0): Promise<void> {
  services.clock.advance({ seconds: inSeconds })
  const testHandlers = handlersWith(work)
  const loop = startEmbeddedWorker(services, {
    ...handlers,
    'run-task': runTask(testHandlers),
    'sweep-tasks': sweepTasks(testHandlers),
  })
  await loop.idle()
  await loop.stop()
}

/** Leaves the task as if its process was killed after the first checkpoint; `owner` is the name of that process. */
async function markKilled(
  task: Task,
  { owner = 'elsewhere 7 x', cursor = 1 }: { owner?: string; cursor?: number } = {},
) {
  await services.db.run(
    `UPDATE tasks SET state = 'running', token = token + 1, attempts = 1, owner = :owner, lease_until = :until, cursor = :cursor WHERE id = :id`,
    { id: task.id, owner, cursor: JSON.stringify(cursor), until: new Date(services.now().getTime() + 60_000) },
  )
  await services.db.run(`UPDATE jobs SET state = 'done' WHERE dedupe_key = :key`, { key: `run-task-${task.id}-0` })
}

const deadOwner = 'elsewhere 7 x'

describe('a task', () => {
  it('is done once, step by step, as the user who requested it', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { total: 3 })
    expect(task).toMatchObject({ state: 'waiting', token: 0, actorKind: 'staff', actorId: fixture.userId })
    const work = countingHandler()
    await runWorkerPass(work)
    expect(await reload(task)).toMatchObject({
      state: 'done',
      cursor: 3,
      done: 3,
      counts: { committed: 3 },
      problem: null,
    })
    await handlers['run-task'](services.as(system), { taskId: task.id, token: 0 })
    expect(work.opened).toEqual([0])
    expect(work.ends).toEqual(['done'])
  })

  it('holds its lock until it has ended', async () => {
    const fixture = await makeFixture()
    const answers = await Promise.allSettled([requestTask(fixture), requestTask(fixture), requestTask(fixture)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await runWorkerPass(countingHandler())
    expect((await requestTask(fixture)).state).toBe('waiting')
    await runWorkerPass(countingHandler())
  })

  it('is claimed by one of two workers', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture)
    const work = countingHandler()
    const job = { taskId: task.id, token: task.token }
    const run = runTask(handlersWith(work))
    await Promise.all([run(services.as(system), job), run(services.as(system), job)])
    expect(work.opened).toEqual([0])
    expect(await reload(task)).toMatchObject({ state: 'done', token: 1 })
  })
})

describe('a task whose process ended', () => {
  it('is not resumed while its lease lasts, and is resumed from its checkpoint once it has expired', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'resume' })
    await markKilled(task)
    const work = countingHandler()
    await runWorkerPass(work)
    expect(work.opened).toEqual([])
    await runWorkerPass(work, 61)
    expect(work.opened).toEqual([1])
    expect(await reload(task)).toMatchObject({ state: 'done', cursor: 3 })
  })

  it('is resumed at once when its process was on this machine', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'resume' })
    // An earlier process of this machine, whose process number was reused.
    await markKilled(task, { owner: services.processes.self.replace(/\w+$/, 'before') })
    await sweepTasks(handlersWith(countingHandler()))(services.as(system), {})
    expect((await reload(task))?.state).toBe('waiting')
    await runWorkerPass(countingHandler())
    expect((await reload(task))?.state).toBe('done')
  })

  it('is restarted if its kind cannot be resumed', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture)
    await markKilled(task)
    const work = countingHandler()
    await runWorkerPass(work, 61)
    expect(work.opened).toEqual([0])
  })

  it('is interrupted and blocks nobody if only its own machine can resume it', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'interrupt' })
    await markKilled(task)
    await runWorkerPass(countingHandler(), 61)
    expect(await reload(task)).toMatchObject({
      state: 'interrupted',
      owner: deadOwner,
      problem: expect.stringContaining('ended'),
    })
    const nextTask = await requestTask(fixture)
    await expect(resumeInline(fixture.ctx, (await reload(task)) as Task, busy)).rejects.toMatchObject({
      kind: 'conflict',
    })
    await runWorkerPass(countingHandler())
    expect((await reload(nextTask))?.state).toBe('done')
    const resumed = await resumeTask(fixture.ctx, (await reload(task)) as Task, busy)
    const work = countingHandler()
    await runWorkerPass(work)
    expect(work.opened).toEqual([1])
    expect((await reload(resumed))?.state).toBe('done')
  })

  it('releases its lock to the next one even before the sweep', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'interrupt' })
    await markKilled(task)
    await expect(requestTask(fixture)).rejects.toMatchObject({ kind: 'conflict' })
    services.clock.advance({ seconds: 61 })
    const nextTask = await requestTask(fixture)
    expect((await reload(task))?.state).toBe('interrupted')
    await runWorkerPass(countingHandler())
    expect((await reload(nextTask))?.state).toBe('done')
  })

  it('is not taken over by a machine that lacks its file', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'resume' })
    await markKilled(task)
    await runWorkerPass({ ...countingHandler(), canTakeOver: async () => false }, 61)
    expect((await reload(task))?.state).toBe('interrupted')
  })

  it('is given up when it restarts each time and crashes after the same checkpoint', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture)
    await markKilled(task)
    await services.db.run('UPDATE tasks SET attempts = 3 WHERE id = :id', { id: task.id })
    // The process dies in the second step, so the row is as the first step left it.
    const crashing = countingHandler({
      during: async (n, run) => {
        if (n !== 2) return
        await services.db.run(`UPDATE tasks SET token = token + 1, owner = :gone WHERE id = :id`, {
          gone: deadOwner,
          id: run.task.id,
        })
      },
    })
    await runWorkerPass(crashing, 61)
    expect(await reload(task)).toMatchObject({ state: 'running', attempts: 4 })
    await runWorkerPass(crashing, 61)
    expect(await reload(task)).toMatchObject({ state: 'running', attempts: 5 })
    await runWorkerPass(crashing, 61)
    expect(crashing.opened).toEqual([0, 0])
    expect((await reload(task))?.state).toBe('failed')
  })

  it('is given up when it crashes repeatedly', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture)
    await markKilled(task)
    await services.db.run('UPDATE tasks SET attempts = 5 WHERE id = :id', { id: task.id })
    await runWorkerPass(countingHandler(), 61)
    expect(await reload(task)).toMatchObject({ state: 'failed', problem: expect.stringContaining('5 times') })
  })
})

const startInlineTask = ({ publication, ctx }: Fixture) =>
  startInline<number>(ctx, kind, { publication, subjectId: 1, lockKey: `test:${publication.id}`, busy })

describe('a run that was taken over', () => {
  /** Another process takes over the task and makes progress. */
  const takeOver = (task: Task) =>
    services.db.run(`UPDATE tasks SET token = 7, cursor = '2' WHERE id = :id`, { id: task.id })

  it('no longer writes anything', async () => {
    const fixture = await makeFixture()
    const task = await startInlineTask(fixture)
    const work = selfCommittingHandler({ during: (n) => n === 2 && takeOver(task) })
    expect(await runInline(fixture.ctx, work, task)).toMatchObject({ state: 'running', token: 7, cursor: 2 })
    expect(work.ends).toEqual([])
    await services.db.run(`UPDATE tasks SET state = 'cancelled' WHERE id = :id`, { id: task.id })
  })

  it('writes nothing on its own connection either', async () => {
    const fixture = await makeFixture()
    const task = await startInlineTask(fixture)
    const work: TaskHandler<number> = {
      transactions: 'own',
      open: async (_, run) => ({
        async step() {
          await takeOver(task)
          const connection = await services.db.bulk.connect()
          const { sql, values } = run.checkpointSql({ cursor: 99 })
          try {
            await connection.write(async () => expectLease(await connection.run(sql, values)))
          } finally {
            await connection.close()
          }
          return { isLast: true }
        },
      }),
    }
    expect(await runInline(fixture.ctx, work, task)).toMatchObject({ state: 'running', token: 7, cursor: 2 })
    await services.db.run(`UPDATE tasks SET state = 'cancelled' WHERE id = :id`, { id: task.id })
  })

  it('can checkpoint on its own connection while it holds the lease', async () => {
    const fixture = await makeFixture()
    const task = await startInlineTask(fixture)
    const work: TaskHandler<number> = {
      transactions: 'own',
      open: async (_, run) => ({
        async step() {
          const connection = await services.db.bulk.connect()
          const { sql, values } = run.checkpointSql({ cursor: 5, done: 5, phase: 'writing', counts: { added: 5 } })
          expectLease(await connection.write(() => connection.run(sql, values)))
          await connection.close()
          await run.extendLease(900_000)
          return { isLast: true }
        },
      }),
    }
    expect(await runInline(fixture.ctx, work, task)).toMatchObject({
      state: 'done',
      cursor: 5,
      done: 5,
      phase: 'writing',
      counts: { added: 5 },
    })
  })
})

describe('a task that fails', () => {
  it('is retried from its checkpoint for a temporary error, and shows the error meanwhile', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'resume' })
    let failuresLeft = 2
    const work = countingHandler({
      during: (n) => {
        if (n === 2 && failuresLeft-- > 0) throw new AppError('unavailable', 'The disk is full', { hint: 'Make room' })
      },
    })
    await runWorkerPass(work)
    expect(await reload(task)).toMatchObject({ state: 'waiting', cursor: 1, problem: 'The disk is full. Make room' })
    await runWorkerPass(work, 15)
    await runWorkerPass(work, 60)
    expect(work.opened).toEqual([0, 1, 1])
    expect(await reload(task)).toMatchObject({ state: 'done', problem: null })
  })

  it.each(['invalid', 'denied', 'conflict', 'declined', 'gone'] as const)(
    'ends at once with an error of the kind %s',
    async (error) => {
      const fixture = await makeFixture()
      const task = await requestTask(fixture)
      await runWorkerPass(countingHandler({ during: () => Promise.reject(new AppError(error, 'It does not fit')) }))
      expect(await reload(task)).toMatchObject({ state: 'failed', attempts: 1, problem: 'It does not fit' })
      expect((await requestTask(fixture)).state).toBe('waiting')
      await runWorkerPass(countingHandler())
    },
  )

  it('keeps what was done: it can be resumed if its kind allows it', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'resume' })
    await runWorkerPass(countingHandler({ during: (n) => (n === 2 ? Promise.reject(conflict('No')) : undefined) }))
    expect(await reload(task)).toMatchObject({ state: 'interrupted', cursor: 1 })
  })

  it('releases the lock of the task it was to undo', async () => {
    const fixture = await makeFixture()
    const original = await requestTask(fixture)
    await runWorkerPass(countingHandler())
    const undo = await requestTask(fixture, { undoOf: original.id })
    await runWorkerPass(countingHandler({ during: () => Promise.reject(conflict('It cannot be undone')) }))
    expect(await reload(undo)).toMatchObject({ state: 'failed', undoOf: original.id })
    expect((await reload(original))?.state).toBe('done')
    const secondUndo = await requestTask(fixture, { undoOf: original.id })
    await runWorkerPass(countingHandler())
    expect((await reload(secondUndo))?.state).toBe('done')
  })
})

describe('a task is ended', () => {
  it('before it begins, and its job does nothing', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture)
    const work = countingHandler()
    await services.db.transaction(() => cancelTask(fixture.ctx, work, task as Task<number>))
    await runWorkerPass(work)
    expect(work.opened).toEqual([])
    expect(work.ends).toEqual(['cancelled'])
    expect((await reload(task))?.state).toBe('cancelled')
  })

  it('while it runs: the current step is rolled back, what was committed stays', async () => {
    const fixture = await makeFixture()
    const task = await startInlineTask(fixture)
    const work = selfCommittingHandler({
      during: async (n) => n === 2 && services.db.transaction(() => cancelTask(fixture.ctx, work, task)),
    })
    expect(await runInline(fixture.ctx, work, task)).toMatchObject({ state: 'cancelled', cursor: 1 })
    expect(work.ends).toEqual(['cancelled'])
  })

  it('at a checkpoint if its kind reaches one first, and can be resumed from there; not after its last step', async () => {
    const fixture = await makeFixture()
    const { publication, ctx } = fixture
    for (const [stopAt, ended] of [
      [2, { state: 'interrupted', cursor: 2, problem: 'Stopped on request' }],
      [3, { state: 'done', cursor: 3 }],
    ] as const) {
      const input = { publication, subjectId: 1, lockKey: `stopped:${publication.id}`, busy }
      const task = await startInline<number>(ctx, 'import-readers', input)
      const work = selfCommittingHandler({
        during: async (n) => n === stopAt && services.db.transaction(() => cancelTask(ctx, work, task)),
      })
      expect(await runInline(ctx, work, task)).toMatchObject(ended)
    }
  })

  describe('although its process is gone', () => {
    const makeKilledTask = async (cursor: number | null) => {
      const fixture = await makeFixture()
      const { publication, ctx } = fixture
      const input = { publication, subjectId: 1, lockKey: `gone:${publication.id}`, busy }
      const task = await startTask(ctx, 'import-readers', input)
      await markKilled(task)
      if (cursor === null) await services.db.run('UPDATE tasks SET cursor = NULL WHERE id = :id', { id: task.id })
      const work = countingHandler()
      const stop = async () =>
        services.db.transaction(async () => cancelTask(ctx, work, (await reload(task)) as Task<number>))
      return { task, work, stop }
    }
    const problem = 'Stopped on request'
    const expireLease = () => {
      services.clock.advance({ seconds: 61 })
    }

    it('can be resumed from its checkpoint, if its kind can be resumed', async () => {
      const { task, work, stop } = await makeKilledTask(1)
      expect(await stop()).toBeNull()
      expireLease()
      await sweepTasks({ ...taskHandlers, 'import-readers': work })(services.as(system), {})
      expect(await reload(task)).toMatchObject({ state: 'interrupted', cursor: 1, problem })
      expect(work.ends).toEqual([])
    })

    it('can be resumed from its checkpoint, even if its lease expired before the request', async () => {
      const { task, work, stop } = await makeKilledTask(1)
      expireLease()
      expect(await stop()).toBeNull()
      expect(await reload(task)).toMatchObject({ state: 'interrupted', cursor: 1, problem })
      expect(await stop()).toMatchObject({ state: 'cancelled' })
      expect(work.ends).toEqual(['cancelled'])
    })

    it('is cancelled, if it has no checkpoint yet', async () => {
      const { work, stop } = await makeKilledTask(null)
      expireLease()
      expect(await stop()).toMatchObject({ state: 'cancelled' })
      expect(work.ends).toEqual(['cancelled'])
    })
  })

  it('even if the step after the request fails temporarily', async () => {
    const { publication, ctx } = await makeFixture()
    const input = { publication, subjectId: 1, lockKey: `failing:${publication.id}`, busy }
    const task = await startTask(ctx, 'import-readers', input)
    const work = selfCommittingHandler({
      during: async (n) => {
        if (n !== 2) return
        await services.db.transaction(async () => cancelTask(ctx, work, (await reload(task)) as Task<number>))
        throw new AppError('upstream', 'The file server does not respond')
      },
    })
    const { token } = task
    await runTask({ ...taskHandlers, 'import-readers': work })(services.as(system), { taskId: task.id, token })
    expect(await reload(task)).toMatchObject({ state: 'interrupted', cursor: 1, problem: 'Stopped on request' })
  })

  it('by the signal of its process, at its next step', async () => {
    const fixture = await makeFixture()
    const stop = new AbortController()
    const task = await startInlineTask(fixture)
    const work = countingHandler({ during: (n) => n === 2 && stop.abort() })
    expect(await runInline(fixture.ctx, work, task, stop.signal)).toMatchObject({
      state: 'cancelled',
      cursor: 2,
      problem: 'Stopped on request',
    })
  })

  it('when the user who requested it is deactivated, and says so', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'resume' })
    await runWorkerPass(
      countingHandler({
        during: (n) =>
          n === 2 &&
          services.db.run('UPDATE users SET is_active = :no WHERE id = :id', { no: false, id: fixture.userId }),
      }),
    )
    expect(await reload(task)).toMatchObject({
      state: 'interrupted',
      cursor: 2,
      problem: 'The user who requested this, or their publisher, has been deactivated',
    })
    const unused = countingHandler()
    await markKilled(task, { cursor: 2 })
    await runWorkerPass(unused, 61)
    expect(unused.opened).toEqual([])
    expect((await reload(task))?.state).toBe('interrupted')
  })

  it('when its publication is removed', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture)
    await runWorkerPass(
      countingHandler({
        during: (n) =>
          n === 1 &&
          services.db.run('UPDATE publications SET removed_at = :now WHERE id = :id', {
            now: services.now(),
            id: fixture.publication.id,
          }),
      }),
    )
    expect(await reload(task)).toMatchObject({ state: 'cancelled', done: 1, problem: 'The publication was removed' })
  })
})

describe('an interrupted task', () => {
  it('is resumed as the user who resumes it, with all its attempts', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'interrupt' })
    await markKilled(task)
    await services.db.run('UPDATE tasks SET attempts = 5 WHERE id = :id', { id: task.id })
    await runWorkerPass(countingHandler(), 61)
    const resumed = await resumeTask(services.as(operator), (await reload(task)) as Task, busy)
    expect(resumed).toMatchObject({
      state: 'waiting',
      actorKind: 'operator',
      actorId: null,
      attempts: 0,
      problem: null,
    })
    await runWorkerPass(countingHandler())
    const done = (await reload(task)) as Task
    expect(done).toMatchObject({ state: 'done', actorKind: 'operator' })
    await expect(resumeTask(fixture.ctx, done, busy)).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('can be resumed in this process once its lease has expired, even before the sweep has marked it as interrupted', async () => {
    const fixture = await makeFixture()
    const task = await requestTask(fixture, { onLost: 'interrupt' })
    await markKilled(task)
    const seen = (await reload(task)) as Task<number>
    await expect(resumeInline(fixture.ctx, seen, busy)).rejects.toMatchObject({ message: 'Another one is running' })
    services.clock.advance({ seconds: 61 })
    const work = countingHandler()
    expect(await runInline(fixture.ctx, work, await resumeInline(fixture.ctx, seen, busy))).toMatchObject({
      state: 'done',
    })
    expect(work.opened).toEqual([1])
    await expect(resumeInline(fixture.ctx, seen, busy)).rejects.toMatchObject({ kind: 'conflict' })
  })
})

it('a task is visible to users of its own publisher who may start one', async () => {
  const fixture = await makeFixture()
  const subjectId = 4711
  const task = await requestTask(fixture, { subjectId })
  const find = (ctx: typeof fixture.ctx) => ownTask(ctx, kind, subjectId)
  expect(await find(fixture.ctx)).toMatchObject({ id: task.id })
  expect(await find(services.as(operator))).toMatchObject({ id: task.id })
  await expect(find((await makeFixture()).ctx)).rejects.toMatchObject({ kind: 'notFound' })
  const admin = services.as(await actorOf(services, 'admin', fixture.publication.publisherId))
  await expect(find(admin)).rejects.toMatchObject({ kind: 'denied' })
  await services.db.run('UPDATE publications SET removed_at = :now WHERE id = :id', {
    now: services.now(),
    id: fixture.publication.id,
  })
  await expect(find(services.as(operator))).rejects.toMatchObject({ kind: 'notFound' })
})

it('the operator’s tasks need no user', async () => {
  const fixture = { ...(await makeFixture()), ctx: services.as(operator) }
  expect(await runInline(fixture.ctx, countingHandler(), await startInlineTask(fixture))).toMatchObject({
    state: 'done',
    actorKind: 'operator',
  })
})
