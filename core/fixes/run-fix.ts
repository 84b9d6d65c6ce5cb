import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { AppContext } from '../context.ts'
import { isAppError } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { deriveReader } from '../readers/reader-keys.rules.ts'
import { readersChanged } from '../readers/readers-changed.ts'
import { writtenKeys } from '../readers/written-keys.ts'
import { useCase } from '../use-case.ts'
import { type FixableReader, fixKinds, fixOf } from './fix-kinds.ts'
import { type FixRow, type FixView, fixRow, fixView } from './fix-row.ts'
import { type FixableRow, fixableRows, writtenColumns } from './fixable-rows.query.ts'
import { undoFixed } from './run-undo-fix.ts'
import { type FixedRow, keepImages, writeFixedRows } from './write-fixed-rows.ts'

/** Readers of one transaction: a checkout that comes meanwhile waits for some hundredths of a second. */
const fixChunk = 500

/** Does or undoes a fix chunk by chunk; one that was killed goes on where it was. */
export const runFix = useCase({
  permission: 'machine:operate',
  input: z.object({ fixId: z.number().int() }),
  transaction: 'none',
  run: (ctx, { fixId }) => workOnFix(ctx, fixId),
})

interface Watcher {
  onProgress?: ((fix: FixView) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Works until the fix is done or undone. Stopped by the signal it stays as it is after the last chunk, to be gone on with. */
export async function workOnFix(
  ctx: AppContext,
  fixId: number,
  { onProgress, signal }: Watcher = {},
): Promise<FixView | null> {
  await ctx.db.run(`UPDATE reader_fixes SET state = 'running' WHERE id = :fixId AND state = 'waiting'`, { fixId })
  try {
    for (;;) {
      const row = await ctx.db.transaction(() => nextChunk(ctx, fixId))
      if (!row) return null
      const view = fixView(row, ctx.now())
      onProgress?.(view)
      if ((row.state !== 'running' && row.state !== 'undoing') || signal?.aborted) return view
    }
  } catch (error) {
    await endInFailure(ctx, fixId, error)
    throw error
  }
}

/** What is done stays done and can be undone; nobody else is kept waiting by it. */
async function endInFailure(ctx: AppContext, fixId: number, error: unknown): Promise<void> {
  const problem = isAppError(error) ? error.message : 'The database did not take it. Please try again.'
  await ctx.db.run(
    `UPDATE reader_fixes SET state = 'failed', problem = :problem, finished_at = :now
     WHERE id = :fixId AND state IN ('running', 'undoing')`,
    { fixId, problem: problem.slice(0, 500), now: ctx.now() },
  )
}

async function nextChunk(ctx: AppContext, fixId: number): Promise<FixRow | undefined> {
  const fix = await fixRow(ctx, fixId)
  if (fix?.state === 'undoing') return undoFixed(ctx, fix, fixChunk)
  return fix?.state === 'running' ? fixNext(ctx, fix) : fix
}

async function fixNext(ctx: AppContext, fix: FixRow): Promise<FixRow | undefined> {
  const publication = await ownPublication(ctx, { id: fix.publication_id })
  const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
  const rows = await fixableRows(ctx, {
    publicationId: publication.id,
    kind: fix.kind,
    after: fix.last_reader_id,
    readerId: fix.reader_id,
    limit: fixChunk,
    isLocked: true,
  })
  const columns = writtenColumns(fix.kind)
  const fixed: FixedRow[] = []
  for (const row of rows) {
    const after = fixOf(fix.kind, row)
    if (after) fixed.push(await fixedRow(ctx, row, after, { publicationId: publication.id, homeCountry, columns }))
  }
  await keepImages(ctx, fix.id, fixed)
  await writeFixedRows(ctx, fixed, {
    publicationId: publication.id,
    columns: columns.map(([, column]) => column),
    note: fixKinds[fix.kind].note,
    actorKind: fix.actor_kind,
    actorId: fix.actor_id,
  })
  if (fixed.length > 0) await readersChanged(ctx.db, publication.id)
  const isOver = rows.length < fixChunk
  const [done] = await ctx.db.query<FixRow>(
    `UPDATE reader_fixes SET state = :state, last_reader_id = :last, fixed = fixed + :fixed, left_alone = left_alone + :left
       ${isOver ? ', finished_at = :now' : ''} WHERE id = :id RETURNING *`,
    {
      id: fix.id,
      state: isOver ? 'done' : 'running',
      last: rows.at(-1)?.id ?? fix.last_reader_id,
      fixed: fixed.length,
      left: rows.length - fixed.length,
      ...(isOver ? { now: ctx.now() } : {}),
    },
  )
  return done
}

/** The row with its keys computed anew. A postcode that stays where it is keeps the state it was given. */
async function fixedRow(
  ctx: AppContext,
  row: FixableRow,
  after: Partial<FixableReader>,
  { publicationId, homeCountry, columns }: { publicationId: number; homeCountry: string; columns: Columns },
): Promise<FixedRow> {
  const fields = { ...row, ...after }
  const isMoved = after.postCode !== undefined
  const keys = isMoved
    ? await writtenKeys(ctx, publicationId, fields, homeCountry)
    : { ...deriveReader(fields, homeCountry), postCodeState: row.postCodeState }
  const now = { ...fields, ...keys }
  return {
    id: row.id,
    version: row.version + 1,
    columns: columnsOf(now, columns),
    image: columnsOf(row, columns),
    before: Object.fromEntries(Object.keys(after).map((field) => [field, row[field as keyof FixableReader]])),
  }
}

type Columns = ReturnType<typeof writtenColumns>

function columnsOf(row: FixableRow, columns: Columns): FixedRow['columns'] {
  return Object.fromEntries(columns.map(([field, column]) => [column, row[field]]))
}
