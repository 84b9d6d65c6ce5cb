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
  return { publication, as: services.as(actor), userId: actor.kind === 'staff' ? actor.userId : 0 }
}
type Fixture = Awaited<ReturnType<typeof makeFixture>>

const ask = ({ publication, as }: Fixture, more: object = {}) =>
  startTask(as, kind, { publication, subjectId: 1, lockKey: `test:${publication.id}`, busy, ...more })

interface Counting {
  steps?: number
  /** Called by each step before it commits. */
  during?: (n: number, run: TaskRun<number>) => Promise<unknown> | unknown
}

/** Counts to `steps`, one per step, and records what was committed. */
function counting({ steps = 3, during }: Counting = {}): TaskHandler<number> & { opened: number[]; ends: string[] } {
  const opened: number[] = []
  const ends: string[] = []
  return {
    opened,
    ends,
    transactions: 'engine',
    async open(_, run) {
      let at = run.task.cursor ?? 0
      opened.push(at)
      return {
        async step() {
          await during?.(at + 1, run)
          at++
          return { cursor: at, done: at, counts: { committed: at }, isLast: at >= steps }
        },
      }
    },
    async finish(_, { state }) {
      ends.push(state)
    },
  }
}

/** Counts with its own transactions: what `during` does is committed separately. */
const countingApart = (counted: Counting = {}): ReturnType<typeof counting> => {
  const work = counting(counted)
  return {
    ...work,
    transactions: 'own',
    async open(ctx, run) {
      const { step } = await work.open(ctx, run)
      return {
        async step() {
          const { isLast, ...at } = await step()
          await ctx.db.transaction(() => run.checkpoint(at))
          return { isLast }
        },
      }
    },
  }
}

const handlersWith = (work: TaskHandler<number>) => ({ ...taskHandlers, [kind]: work })
const now = (task: Task) => taskById(services.db, task.id)

/** A worker's pass over the outbox with this work, `later` seconds from now. */
async function worker(work: TaskHandler<number>, later = 0): Promise<void> {
  services.clock.now = new Date(services.clock.now.getTime() + later * 1000)
  const testHandlers = handlersWith(work)
  const loop = startEmbeddedWorker(services, {
    ...handlers,
    'run-task': runTask(testHandlers),
    'sweep-tasks': sweepTasks(testHandlers),
  })
  await loop.idle()
  await loop.stop()
}

/** A task as left by a process that was killed after its first checkpoint; `owner` is the process's name. */
async function killed(task: Task, { owner = 'elsewhere 7 x', cursor = 1 }: { owner?: string; cursor?: number } = {}) {
  await services.db.run(
    `UPDATE tasks SET state = 'running', token = token + 1, attempts = 1, owner = :owner, lease_until = :until, cursor = :cursor WHERE id = :id`,
    { id: task.id, owner, cursor: JSON.stringify(cursor), until: new Date(services.now().getTime() + 60_000) },
  )
  await services.db.run(`UPDATE jobs SET state = 'done' WHERE dedupe_key = :key`, { key: `run-task-${task.id}-0` })
}

const gone = 'elsewhere 7 x'

describe('a task', () => {
  it('is done once, step by step, as the user who requested it', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { total: 3 })
    expect(task).toMatchObject({ state: 'waiting', token: 0, actorKind: 'staff', actorId: fixture.userId })
    const work = counting()
    await worker(work)
    expect(await now(task)).toMatchObject({
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
    const answers = await Promise.allSettled([ask(fixture), ask(fixture), ask(fixture)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await worker(counting())
    expect((await ask(fixture)).state).toBe('waiting')
    await worker(counting())
  })

  it('is claimed by one of two workers', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture)
    const work = counting()
    const job = { taskId: task.id, token: task.token }
    const run = runTask(handlersWith(work))
    await Promise.all([run(services.as(system), job), run(services.as(system), job)])
    expect(work.opened).toEqual([0])
    expect(await now(task)).toMatchObject({ state: 'done', token: 1 })
  })
})

describe('a task whose process ended', () => {
  it('is left alone while its lease lasts, and resumed from its checkpoint when it has expired', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { onLost: 'resume' })
    await killed(task)
    const work = counting()
    await worker(work)
    expect(work.opened).toEqual([])
    await worker(work, 61)
    expect(work.opened).toEqual([1])
    expect(await now(task)).toMatchObject({ state: 'done', cursor: 3 })
  })

  it('is resumed at once when its process was on this machine', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { onLost: 'resume' })
    // This same process under an earlier name: a reused process number.
    await killed(task, { owner: services.processes.self.replace(/\w+$/, 'before') })
    await sweepTasks(handlersWith(counting()))(services.as(system), {})
    expect((await now(task))?.state).toBe('waiting')
    await worker(counting())
    expect((await now(task))?.state).toBe('done')
  })

  it('is restarted if its kind cannot be resumed', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture)
    await killed(task)
    const work = counting()
    await worker(work, 61)
    expect(work.opened).toEqual([0])
  })

  it('is interrupted and blocks nobody if only its own machine can resume it', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { onLost: 'interrupt' })
    await killed(task)
    await worker(counting(), 61)
    expect(await now(task)).toMatchObject({
      state: 'interrupted',
      owner: gone,
      problem: expect.stringContaining('ended'),
    })
    const next = await ask(fixture)
    await expect(resumeInline(fixture.as, (await now(task)) as Task, busy)).rejects.toMatchObject({ kind: 'conflict' })
    await worker(counting())
    expect((await now(next))?.state).toBe('done')
    const again = await resumeTask(fixture.as, (await now(task)) as Task, busy)
    const work = counting()
    await worker(work)
    expect(work.opened).toEqual([1])
    expect((await now(again))?.state).toBe('done')
  })

  it('releases its lock to the next one even before the sweep', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { onLost: 'interrupt' })
    await killed(task)
    await expect(ask(fixture)).rejects.toMatchObject({ kind: 'conflict' })
    services.clock.now = new Date(services.clock.now.getTime() + 61_000)
    const next = await ask(fixture)
    expect((await now(task))?.state).toBe('interrupted')
    await worker(counting())
    expect((await now(next))?.state).toBe('done')
  })

  it('is not taken over by a machine that lacks its file', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { onLost: 'resume' })
    await killed(task)
    await worker({ ...counting(), canTakeOver: async () => false }, 61)
    expect((await now(task))?.state).toBe('interrupted')
  })

  it('is given up when it restarts each time and crashes after the same checkpoint', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture)
    await killed(task)
    await services.db.run('UPDATE tasks SET attempts = 3 WHERE id = :id', { id: task.id })
    // Its process ends with the second step: the row is unchanged since the first.
    const dies = counting({
      during: async (n, run) => {
        if (n !== 2) return
        await services.db.run(`UPDATE tasks SET token = token + 1, owner = :gone WHERE id = :id`, {
          gone,
          id: run.task.id,
        })
      },
    })
    await worker(dies, 61)
    expect(await now(task)).toMatchObject({ state: 'running', attempts: 4 })
    await worker(dies, 61)
    expect(await now(task)).toMatchObject({ state: 'running', attempts: 5 })
    await worker(dies, 61)
    expect(dies.opened).toEqual([0, 0])
    expect((await now(task))?.state).toBe('failed')
  })

  it('is given up when it crashes repeatedly', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture)
    await killed(task)
    await services.db.run('UPDATE tasks SET attempts = 5 WHERE id = :id', { id: task.id })
    await worker(counting(), 61)
    expect(await now(task)).toMatchObject({ state: 'failed', problem: expect.stringContaining('5 times') })
  })
})

const inline = ({ publication, as }: Fixture) =>
  startInline<number>(as, kind, { publication, subjectId: 1, lockKey: `test:${publication.id}`, busy })

describe('a run that was taken over', () => {
  /** Another process has taken over the task and made progress. */
  const takenOver = (task: Task) =>
    services.db.run(`UPDATE tasks SET token = 7, cursor = '2' WHERE id = :id`, { id: task.id })

  it('no longer writes anything', async () => {
    const fixture = await makeFixture()
    const task = await inline(fixture)
    const work = countingApart({ during: (n) => n === 2 && takenOver(task) })
    expect(await runInline(fixture.as, work, task)).toMatchObject({ state: 'running', token: 7, cursor: 2 })
    expect(work.ends).toEqual([])
    await services.db.run(`UPDATE tasks SET state = 'cancelled' WHERE id = :id`, { id: task.id })
  })

  it('writes nothing on its own connection either', async () => {
    const fixture = await makeFixture()
    const task = await inline(fixture)
    const work: TaskHandler<number> = {
      transactions: 'own',
      open: async (_, run) => ({
        async step() {
          await takenOver(task)
          const own = await services.db.bulk.connect()
          const { sql, values } = run.checkpointSql({ cursor: 99 })
          try {
            await own.write(async () => expectLease(await own.run(sql, values)))
          } finally {
            await own.close()
          }
          return { isLast: true }
        },
      }),
    }
    expect(await runInline(fixture.as, work, task)).toMatchObject({ state: 'running', token: 7, cursor: 2 })
    await services.db.run(`UPDATE tasks SET state = 'cancelled' WHERE id = :id`, { id: task.id })
  })

  it('can checkpoint on its own connection while it holds the lease', async () => {
    const fixture = await makeFixture()
    const task = await inline(fixture)
    const own: TaskHandler<number> = {
      transactions: 'own',
      open: async (_, run) => ({
        async step() {
          const work = await services.db.bulk.connect()
          const { sql, values } = run.checkpointSql({ cursor: 5, done: 5, phase: 'writing', counts: { added: 5 } })
          expectLease(await work.write(() => work.run(sql, values)))
          await work.close()
          await run.extendLease(900_000)
          return { isLast: true }
        },
      }),
    }
    expect(await runInline(fixture.as, own, task)).toMatchObject({
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
    const task = await ask(fixture, { onLost: 'resume' })
    let fails = 2
    const work = counting({
      during: (n) => {
        if (n === 2 && fails-- > 0) throw new AppError('unavailable', 'The disk is full', { hint: 'Make room' })
      },
    })
    await worker(work)
    expect(await now(task)).toMatchObject({ state: 'waiting', cursor: 1, problem: 'The disk is full. Make room' })
    await worker(work, 15)
    await worker(work, 60)
    expect(work.opened).toEqual([0, 1, 1])
    expect(await now(task)).toMatchObject({ state: 'done', problem: null })
  })

  it.each(['invalid', 'denied', 'conflict', 'declined', 'gone'] as const)(
    'ends at once when it is %s',
    async (error) => {
      const fixture = await makeFixture()
      const task = await ask(fixture)
      await worker(counting({ during: () => Promise.reject(new AppError(error, 'It does not fit')) }))
      expect(await now(task)).toMatchObject({ state: 'failed', attempts: 1, problem: 'It does not fit' })
      expect((await ask(fixture)).state).toBe('waiting')
      await worker(counting())
    },
  )

  it('keeps what was done: it can be resumed if its kind allows it', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { onLost: 'resume' })
    await worker(counting({ during: (n) => (n === 2 ? Promise.reject(conflict('No')) : undefined) }))
    expect(await now(task)).toMatchObject({ state: 'interrupted', cursor: 1 })
  })

  it('releases the lock of the task it was to undo', async () => {
    const fixture = await makeFixture()
    const first = await ask(fixture)
    await worker(counting())
    const undo = await ask(fixture, { undoOf: first.id })
    await worker(counting({ during: () => Promise.reject(conflict('It cannot be undone')) }))
    expect(await now(undo)).toMatchObject({ state: 'failed', undoOf: first.id })
    expect((await now(first))?.state).toBe('done')
    const again = await ask(fixture, { undoOf: first.id })
    await worker(counting())
    expect((await now(again))?.state).toBe('done')
  })
})

describe('a task is ended', () => {
  it('before it begins, and its job does nothing', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture)
    const work = counting()
    await services.db.transaction(() => cancelTask(fixture.as, work, task as Task<number>))
    await worker(work)
    expect(work.opened).toEqual([])
    expect(work.ends).toEqual(['cancelled'])
    expect((await now(task))?.state).toBe('cancelled')
  })

  it('while it runs: the current step is rolled back, what was committed stays', async () => {
    const fixture = await makeFixture()
    const task = await inline(fixture)
    const work = countingApart({
      during: async (n) => n === 2 && services.db.transaction(() => cancelTask(fixture.as, work, task)),
    })
    expect(await runInline(fixture.as, work, task)).toMatchObject({ state: 'cancelled', cursor: 1 })
    expect(work.ends).toEqual(['cancelled'])
  })

  it('at a checkpoint if its kind reaches one first, and can be resumed from there; not after its last step', async () => {
    const fixture = await makeFixture()
    const { publication, as } = fixture
    for (const [stopAt, ended] of [
      [2, { state: 'interrupted', cursor: 2, problem: 'Stopped on request' }],
      [3, { state: 'done', cursor: 3 }],
    ] as const) {
      const input = { publication, subjectId: 1, lockKey: `stopped:${publication.id}`, busy }
      const task = await startInline<number>(as, 'import-readers', input)
      const work = countingApart({
        during: async (n) => n === stopAt && services.db.transaction(() => cancelTask(as, work, task)),
      })
      expect(await runInline(as, work, task)).toMatchObject(ended)
    }
  })

  describe('although its process is gone', () => {
    const stopped = async (cursor: number | null) => {
      const fixture = await makeFixture()
      const { publication, as } = fixture
      const input = { publication, subjectId: 1, lockKey: `gone:${publication.id}`, busy }
      const task = await startTask(as, 'import-readers', input)
      await killed(task)
      if (cursor === null) await services.db.run('UPDATE tasks SET cursor = NULL WHERE id = :id', { id: task.id })
      const work = counting()
      const stop = async () =>
        services.db.transaction(async () => cancelTask(as, work, (await now(task)) as Task<number>))
      return { task, work, stop }
    }
    const problem = 'Stopped on request'
    const later = () => {
      services.clock.now = new Date(services.clock.now.getTime() + 61_000)
    }

    it('it can be resumed from its checkpoint, if its kind can', async () => {
      const { task, work, stop } = await stopped(1)
      expect(await stop()).toBeNull()
      later()
      await sweepTasks({ ...taskHandlers, 'import-readers': work })(services.as(system), {})
      expect(await now(task)).toMatchObject({ state: 'interrupted', cursor: 1, problem })
      expect(work.ends).toEqual([])
    })

    it('the same if it was gone before', async () => {
      const { task, work, stop } = await stopped(1)
      later()
      expect(await stop()).toBeNull()
      expect(await now(task)).toMatchObject({ state: 'interrupted', cursor: 1, problem })
      expect(await stop()).toMatchObject({ state: 'cancelled' })
      expect(work.ends).toEqual(['cancelled'])
    })

    it('before its first checkpoint it is cancelled', async () => {
      const { work, stop } = await stopped(null)
      later()
      expect(await stop()).toMatchObject({ state: 'cancelled' })
      expect(work.ends).toEqual(['cancelled'])
    })
  })

  it('also if the step after the request fails for a while', async () => {
    const { publication, as } = await makeFixture()
    const input = { publication, subjectId: 1, lockKey: `failing:${publication.id}`, busy }
    const task = await startTask(as, 'import-readers', input)
    const work = countingApart({
      during: async (n) => {
        if (n !== 2) return
        await services.db.transaction(async () => cancelTask(as, work, (await now(task)) as Task<number>))
        throw new AppError('upstream', 'The file server does not respond')
      },
    })
    const { token } = task
    await runTask({ ...taskHandlers, 'import-readers': work })(services.as(system), { taskId: task.id, token })
    expect(await now(task)).toMatchObject({ state: 'interrupted', cursor: 1, problem: 'Stopped on request' })
  })

  it('by the signal of its process, at its next step', async () => {
    const fixture = await makeFixture()
    const stop = new AbortController()
    const task = await inline(fixture)
    const work = counting({ during: (n) => n === 2 && stop.abort() })
    expect(await runInline(fixture.as, work, task, stop.signal)).toMatchObject({
      state: 'cancelled',
      cursor: 2,
      problem: 'Stopped on request',
    })
  })

  it('when the user who requested it is deactivated, and says so', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { onLost: 'resume' })
    await worker(
      counting({
        during: (n) =>
          n === 2 &&
          services.db.run('UPDATE users SET is_active = :no WHERE id = :id', { no: false, id: fixture.userId }),
      }),
    )
    expect(await now(task)).toMatchObject({
      state: 'interrupted',
      cursor: 2,
      problem: 'The user who requested this, or their publisher, has been deactivated',
    })
    const never = counting()
    await killed(task, { cursor: 2 })
    await worker(never, 61)
    expect(never.opened).toEqual([])
    expect((await now(task))?.state).toBe('interrupted')
  })

  it('when its publication is removed', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture)
    await worker(
      counting({
        during: (n) =>
          n === 1 &&
          services.db.run('UPDATE publications SET removed_at = :now WHERE id = :id', {
            now: services.now(),
            id: fixture.publication.id,
          }),
      }),
    )
    expect(await now(task)).toMatchObject({ state: 'cancelled', done: 1, problem: 'The publication was removed' })
  })
})

describe('an interrupted task', () => {
  it('is resumed as the user who resumes it, with all its attempts', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { onLost: 'interrupt' })
    await killed(task)
    await services.db.run('UPDATE tasks SET attempts = 5 WHERE id = :id', { id: task.id })
    await worker(counting(), 61)
    const resumed = await resumeTask(services.as(operator), (await now(task)) as Task, busy)
    expect(resumed).toMatchObject({
      state: 'waiting',
      actorKind: 'operator',
      actorId: null,
      attempts: 0,
      problem: null,
    })
    await worker(counting())
    const done = (await now(task)) as Task
    expect(done).toMatchObject({ state: 'done', actorKind: 'operator' })
    await expect(resumeTask(fixture.as, done, busy)).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('can be resumed in this process too, even before anybody has noticed that its own is gone', async () => {
    const fixture = await makeFixture()
    const task = await ask(fixture, { onLost: 'interrupt' })
    await killed(task)
    const seen = (await now(task)) as Task<number>
    await expect(resumeInline(fixture.as, seen, busy)).rejects.toMatchObject({ message: 'Another one is running' })
    services.clock.now = new Date(services.clock.now.getTime() + 61_000)
    const work = counting()
    expect(await runInline(fixture.as, work, await resumeInline(fixture.as, seen, busy))).toMatchObject({
      state: 'done',
    })
    expect(work.opened).toEqual([1])
    await expect(resumeInline(fixture.as, seen, busy)).rejects.toMatchObject({ kind: 'conflict' })
  })
})

it('a task is visible to users of its own publisher who may start one', async () => {
  const fixture = await makeFixture()
  const subjectId = 4711
  const task = await ask(fixture, { subjectId })
  const look = (ctx: typeof fixture.as) => ownTask(ctx, kind, subjectId)
  expect(await look(fixture.as)).toMatchObject({ id: task.id })
  expect(await look(services.as(operator))).toMatchObject({ id: task.id })
  await expect(look((await makeFixture()).as)).rejects.toMatchObject({ kind: 'notFound' })
  const admin = services.as(await actorOf(services, 'admin', fixture.publication.publisherId))
  await expect(look(admin)).rejects.toMatchObject({ kind: 'denied' })
  await services.db.run('UPDATE publications SET removed_at = :now WHERE id = :id', {
    now: services.now(),
    id: fixture.publication.id,
  })
  await expect(look(services.as(operator))).rejects.toMatchObject({ kind: 'notFound' })
})

it('the operator’s tasks need no user', async () => {
  const fixture = { ...(await makeFixture()), as: services.as(operator) }
  expect(await runInline(fixture.as, counting(), await inline(fixture))).toMatchObject({
    state: 'done',
    actorKind: 'operator',
  })
})
