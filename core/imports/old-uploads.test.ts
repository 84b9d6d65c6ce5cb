import { beforeAll, expect, it } from 'vitest'
import { statements } from '#core/platform/database/ddl.ts'
import { importTasks } from '#core/platform/database/migrations/029-import-tasks.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { selectTasks } from '../tasks/tasks.rows.ts'
import { getUpload } from './get-upload.query.ts'

/** The columns of an upload before its work was a task. */
const earlierColumns = `
ALTER TABLE uploads DROP COLUMN draft;
ALTER TABLE uploads DROP COLUMN file_host;
ALTER TABLE uploads ADD COLUMN state VARCHAR(20);
ALTER TABLE uploads ADD COLUMN records_done {ref} NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD COLUMN rows_checked {ref} NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD COLUMN total_rows {ref} NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD COLUMN turn {int} NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD COLUMN stop_asked_at {moment};
ALTER TABLE uploads ADD COLUMN phase VARCHAR(20);
ALTER TABLE uploads ADD COLUMN phase_rows {ref} NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD COLUMN problem VARCHAR(500);
ALTER TABLE uploads ADD COLUMN locked_until {moment};
ALTER TABLE uploads ADD COLUMN finished_at {moment};
ALTER TABLE uploads ADD COLUMN undone_at {moment};
`

let services: TestServices
const runStatements = async (text: string) => {
  for (const statement of statements(text, services.db.dialect)) await services.db.run(statement)
}
beforeAll(async () => {
  services = await openTestServices()
  await runStatements(earlierColumns)
})

const storedPath = '/data/uploads/upload-7-0123456789abcdef0123456789abcdef.csv'

interface OldUpload {
  state: string
  records?: number
  storedFile?: string
  isInspected?: boolean
  problem?: string
  isFinished?: boolean
  publicationId?: number
}

async function makeOldUpload({ state, records = 0, storedFile = storedPath, isInspected = false, ...more }: OldUpload) {
  const [row] = await services.db.query<{ id: number }>(
    `INSERT INTO uploads (publication_id, kind, state, file_name, stored_file, bytes, sha256, encoding, delimiter, mapping, inspection,
       actor_kind, records_done, total_rows, added, restored, problem, started_at, finished_at, undone_at)
     VALUES (:publicationId, 'add', :state, 'old.csv', :storedFile, 10, 'x', 'utf-8', ',', :mapping, :inspection, 'operator', :records, 9,
       :records, 0, :problem, :now, :finishedAt, :undoneAt) RETURNING id`,
    {
      publicationId: more.publicationId ?? (await makePublication(services)).id,
      state,
      storedFile,
      mapping: JSON.stringify({ header: ['FullName'], columns: [4], owner: 'here 1' }),
      inspection: isInspected
        ? JSON.stringify({ header: ['FullName'], samples: [], mapping: ['FullName'], mappedBy: 'template' })
        : null,
      records,
      problem: more.problem ?? null,
      now: services.now(),
      finishedAt: more.isFinished ? services.now() : null,
      undoneAt: state === 'undone' ? services.now() : null,
    },
  )
  return Number(row?.id)
}

const uploadView = (uploadId: number) => getUpload(services.as(operator), { uploadId })

it('uploads of earlier releases are migrated with their results, and none stays running', async () => {
  const ownFile = { storedFile: '/home/ann/readers.csv' }
  const cases: [OldUpload, object][] = [
    [{ state: 'stored', isInspected: true }, { state: 'stored' }],
    [{ state: 'checking', isInspected: true }, { state: 'checking' }],
    [{ state: 'checked', isInspected: true }, { state: 'checked' }],
    [
      { state: 'failed', isInspected: true, problem: 'No rows' },
      { state: 'failed', problem: 'No rows' },
    ],
    [
      { state: 'failed', ...ownFile, problem: 'No rows' },
      { state: 'failed', problem: 'No rows' },
    ],
    [{ state: 'cancelled' }, { state: 'cancelled', rows: 0, canUndo: false }],
    [
      { state: 'cancelled', records: 4, isFinished: true },
      { state: 'cancelled', rows: 4, added: 4, canUndo: true },
    ],
    [{ state: 'waiting' }, { state: 'waiting' }],
    [
      { state: 'running', records: 4 },
      { state: 'waiting', rows: 4, added: 4 },
    ],
    [
      { state: 'running', records: 4, ...ownFile },
      { state: 'interrupted', rows: 4, canUndo: true, problem: 'The process that worked on it has ended' },
    ],
    [
      { state: 'interrupted', records: 4, problem: 'Stopped' },
      { state: 'interrupted', rows: 4, problem: 'Stopped' },
    ],
    [
      { state: 'done', records: 9, isFinished: true },
      { state: 'done', rows: 9, canUndo: true, finishedAt: services.now() },
    ],
    [
      { state: 'undoing', records: 9, isFinished: true },
      { state: 'undo-interrupted', canUndo: true },
    ],
    [
      { state: 'undone', records: 9, isFinished: true },
      { state: 'undone', canUndo: false, undoneAt: services.now() },
    ],
  ]
  const ids: number[] = []
  for (const [old] of cases) ids.push(await makeOldUpload(old))
  // Two running imports of one publication should never have existed; one of them keeps the publication.
  const concurrent = { state: 'running', publicationId: (await makePublication(services)).id }
  const first = await makeOldUpload(concurrent)
  const second = await makeOldUpload(concurrent)
  await services.db.run(
    `INSERT INTO jobs (name, payload, state, attempts, run_at, created_at) VALUES ('run-import', '{}', 'waiting', 0, :now, :now)`,
    { now: services.now() },
  )

  await runStatements(importTasks)
  for (const [index, [old, view]] of cases.entries())
    expect(await uploadView(ids[index] ?? 0), JSON.stringify(old)).toMatchObject(view)
  expect([(await uploadView(first)).state, (await uploadView(second)).state]).toEqual(['interrupted', 'waiting'])
  expect(await services.db.query(`SELECT id FROM jobs WHERE name = 'run-import'`)).toEqual([])

  // The worker starts what waits, and finds that the file is gone.
  await runWorker(services, 61)
  expect(await selectTasks(services.db, `state IN ('waiting', 'running')`)).toEqual([])
  expect(await uploadView(ids[8] ?? 0)).toMatchObject({
    state: 'interrupted',
    problem: expect.stringContaining('old.csv'),
  })
})
