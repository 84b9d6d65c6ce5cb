import { beforeAll, expect, it } from 'vitest'
import { mergeLikely } from '#core/duplicates/merge-likely.ts'
import { undoMerges } from '#core/duplicates/undo-merges.ts'
import { storePostcodes } from '#core/postcode-files/store-postcodes.ts'
import { dice } from '#tests/support/duplicates/dice.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { killedWhile } from '#tests/support/killed-process.ts'
import { someSearch } from '#tests/support/merges.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { pieces } from '#tests/support/uploads.ts'
import { work } from '#tests/support/worker.ts'
import type { TaskKindName } from './task-kinds.ts'
import { selectTasks } from './tasks.rows.ts'

/** Which step each kind is killed in: another seed kills elsewhere. */
const seeded = dice(20261122)

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function makeWorld() {
  const publication = await makePublication(services)
  return { id: publication.id, as: services.as(await actorOf(services, 'publisher', publication.publisherId)) }
}

/** Runs the newest task of a kind in a process of its own and kills that in the step with this number, before it is committed. */
async function killedInStep(kind: TaskKindName, step: number): Promise<number> {
  const [task] = await selectTasks(services.db, `kind = '${kind}' ORDER BY id DESC LIMIT 1`)
  await killedWhile(services, {
    imports: `import { runTask } from '#core/tasks/run-task.ts'
      import { taskWorks } from '#worker/task-works.ts'`,
    body: `
      const kind = taskWorks['${kind}']
      let steps = 0
      const open = async (ctx, run) => {
        const session = await kind.open(ctx, { ...run, tell(at) { run.tell(at); tell({ steps: ++steps }) } })
        return { ...session, async step() { const at = await session.step(); tell({ steps: ++steps }); return at } }
      }
      const works = { ...taskWorks, '${kind}': { ...kind, open } }
      await runTask(works)({ ...ctx, actor: { kind: 'system' } }, { taskId: ${task?.id}, token: ${task?.token} })`,
    isTime: ({ steps }) => steps === step,
  })
  return task?.id ?? 0
}

const taskNow = async (id: number) => (await selectTasks(services.db, 'id = :id', { id }))[0]

it('a postcode file whose worker is killed is in once, whole, and its place is free', async () => {
  const { id, as } = await makeWorld()
  const codes = Array.from(
    { length: 35_000 },
    (_, n) =>
      `M${1 + (n % 90)} ${n % 10}${'ABDEFGHJLN'[Math.floor(n / 100) % 10]}${'ABDEFGHJLNPQRSTUWXYZ'[Math.floor(n / 1000) % 20]}`,
  )
  await storePostcodes(as, {
    publicationId: id,
    fileName: 'codes.csv',
    chunks: pieces(`PostCode\n${codes.join('\n')}\n`),
  })
  const task = await killedInStep('import-postcodes', 1 + seeded.roll(4))
  expect((await taskNow(task))?.state).toBe('running')
  await work(services, 60)
  expect(await taskNow(task)).toMatchObject({ state: 'done', done: codes.length })
  const [kept] = await services.db.query<{ n: number }>(`SELECT count(*) AS n FROM postcodes`)
  expect(Number(kept?.n)).toBe(new Set(codes).size)
  await storePostcodes(as, { publicationId: id, fileName: 'next.csv', chunks: pieces('PostCode\nM1 1AE\n') })
  await work(services)
})

const groups = 70

/** Pairs of readers that a search has found to be one each. */
async function likelyPairs(publicationId: number): Promise<void> {
  const search = await someSearch({ world: { services }, tenant: { publicationId } }, { groups, readers: 2 * groups })
  for (let n = 0; n < groups; n++) {
    const [group] = await services.db.query<{ id: number }>(
      `INSERT INTO likely_groups (search_id, publication_id, confidence, members) VALUES (:search, :publicationId, 0.99, 2) RETURNING id`,
      { publicationId, search },
    )
    for (const firstName of ['Ann', 'Anne']) {
      const reader = await makeReader(services, publicationId, { firstName, lastName: `Lee${n}` })
      await services.db.run(
        `INSERT INTO likely_members (group_id, reader_id, version, fit, reasons) VALUES (:group, :reader, 1, 0.99, '[]')`,
        { group: Number(group?.id), reader },
      )
    }
  }
}

async function readersOf(publicationId: number): Promise<number> {
  const [row] = await services.db.query<{ n: number }>(
    `SELECT count(*) AS n FROM readers WHERE publication_id = :publicationId`,
    { publicationId },
  )
  return Number(row?.n)
}

it('a run of merges and its undo, each killed on its way, do every group once', async () => {
  const { id, as } = await makeWorld()
  await likelyPairs(id)
  const { batch } = await mergeLikely(as, { publicationId: id })
  const merge = await killedInStep('merge-duplicates', 1 + seeded.roll(3))
  expect((await taskNow(merge))?.state).toBe('running')
  await work(services, 60)
  expect((await taskNow(merge))?.state).toBe('done')
  expect(await readersOf(id)).toBe(groups)
  const [merges] = await services.db.query(
    `SELECT count(*) AS n, count(DISTINCT group_id) AS groups_seen, b.groups_merged FROM reader_merges m
     JOIN merge_batches b ON b.id = m.batch_id WHERE m.batch_id = :batch GROUP BY b.groups_merged`,
    { batch: batch?.id ?? 0 },
  )
  expect(merges).toMatchObject({ n: groups, groups_seen: groups, groups_merged: groups })

  await undoMerges(as, { batchId: batch?.id })
  const undo = await killedInStep('undo-merges', 1 + seeded.roll(3))
  await work(services, 60)
  expect(await taskNow(undo)).toMatchObject({ state: 'done', done: groups })
  expect(await readersOf(id)).toBe(2 * groups)
})
