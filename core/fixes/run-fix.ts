import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { AppContext } from '../context.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { derivedReaderKeys } from '../readers/derived-reader-keys.ts'
import { readersChanged } from '../readers/reader-editions.rows.ts'
import { deriveReader } from '../readers/reader-keys.rules.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { type FixableReader, type FixKind, fixKinds, fixOf } from './fix-kinds.ts'
import { type FixView, fixById } from './fix-row.ts'
import { type FixableRow, fixableRows, writtenColumns } from './fixable-rows.query.ts'
import { type FixedRow, writeFixedRows } from './fixed-rows.ts'
import { countFixed, ReaderFixes, storeFormerValues } from './reader-fixes.rows.ts'

/** Readers per transaction: few enough that a concurrent checkout waits only briefly. */
const fixChunk = 500

export type FixProgress = (fix: FixView) => void

/** The task: fixes a list chunk by chunk, in ascending order of id. `after`: the last reader that was processed. */
export function fixHandler(onProgress?: FixProgress): TaskHandler<{ after: number }> {
  return {
    transactions: 'engine',
    async open(ctx, { task }) {
      const fix = await ReaderFixes.find(ctx, { id: task.subjectId ?? -1 })
      if (!fix) throw new Error(`There is no automatic fix ${task.subjectId}`)
      const { publisherId } = await ownPublication(ctx, { id: fix.publicationId })
      let after = task.cursor?.after ?? 0
      let done = task.cursor === null ? 0 : task.done
      return {
        async step() {
          // For each chunk: the country may be changed meanwhile.
          const { homeCountry } = await publisherSettings(ctx, publisherId)
          const next = await fixNextChunk(ctx, { ...fix, homeCountry, after })
          after = next.last
          done += next.examined
          onProgress?.(await fixById(ctx, fix.id))
          return { cursor: { after }, done, isLast: next.examined < fixChunk }
        },
      }
    },
  }
}

interface ChunkRequest {
  id: number
  publicationId: number
  kind: FixKind
  readerId: number | null
  readerIds: number[] | null
  homeCountry: string
  after: number
}

async function fixNextChunk(
  ctx: AppContext,
  { id, publicationId, kind, readerId, readerIds, homeCountry, after }: ChunkRequest,
): Promise<{ examined: number; last: number }> {
  const rows = await fixableRows(ctx, {
    publicationId,
    kind,
    after,
    readerId,
    readerIds,
    limit: fixChunk,
    isLocked: true,
  })
  const columns = writtenColumns(kind)
  const fixed: FixedRow[] = []
  for (const row of rows) {
    const changed = fixOf(kind, row)
    if (changed) fixed.push(await fixedRow(ctx, row, changed, { publicationId, homeCountry, columns }))
  }
  await storeFormerValues(ctx, id, fixed)
  await writeFixedRows(ctx, fixed, {
    publicationId,
    columns: columns.map(([, column]) => column),
    note: fixKinds[kind].note,
  })
  if (fixed.length > 0) await readersChanged(ctx.db, publicationId)
  await countFixed(ctx, id, { fixed: fixed.length, leftAlone: rows.length - fixed.length })
  return { examined: rows.length, last: rows.at(-1)?.id ?? after }
}

/** The row with its keys recomputed. An unchanged postcode keeps its state. */
async function fixedRow(
  ctx: AppContext,
  row: FixableRow,
  after: Partial<FixableReader>,
  { publicationId, homeCountry, columns }: { publicationId: number; homeCountry: string; columns: Columns },
): Promise<FixedRow> {
  const fields = { ...row, ...after }
  const isMoved = after.postCode !== undefined
  const keys = isMoved
    ? await derivedReaderKeys(ctx, publicationId, fields, homeCountry)
    : { ...deriveReader(fields, homeCountry), postCodeState: row.postCodeState }
  const fixedFields = { ...fields, ...keys }
  return {
    id: row.id,
    version: row.version + 1,
    columns: columnsOf(fixedFields, columns),
    image: columnsOf(row, columns),
    before: Object.fromEntries(Object.keys(after).map((field) => [field, row[field as keyof FixableReader]])),
  }
}

type Columns = ReturnType<typeof writtenColumns>

function columnsOf(row: FixableRow, columns: Columns): FixedRow['columns'] {
  return Object.fromEntries(columns.map(([field, column]) => [column, row[field]]))
}
