import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { maxSelected, readerSelection } from '../readers/reader-selection.input.ts'
import { useCase } from '../use-case.ts'
import { countInList, countWarning } from '../warnings/count-warnings.query.ts'
import { listedIds } from '../warnings/list-warning.query.ts'
import { type FixableField, type FixableReader, type FixKind, fixKindNames, fixKinds, fixOf } from './fix-kinds.ts'
import { type FixableRow, fixableRows, listFingerprint } from './fixable-rows.query.ts'

interface FixSample {
  id: number
  uniqueReference: string
  /** The current values of the fields that the fix may change, and what they would be. */
  before: Partial<Record<FixableField, string>>
  after: Partial<Record<FixableField, string>>
}

export interface FixPreview {
  kind: FixKind
  /** Readers in the list or, if some were chosen, the chosen ones that are in it. */
  total: number
  /** How many of them were read, from the first. */
  examined: number
  /** Of those: how many can be fixed, and how many stay unchanged. */
  fixable: number
  leftAlone: number
  /** Binds a fix of the whole list to this preview; null if some readers were chosen. */
  fingerprint: string | null
  samples: FixSample[]
}

const sampleSize = 20
const chunkSize = 1000

/** What a fix would change, with the first twenty before and after. Reads `max` readers of the list, or all if it is null. */
export const previewFix = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...publicationRef,
      publicationId: z.coerce.number('Required').int().optional(),
      kind: z.enum(fixKindNames, 'Choose what to fix'),
      readerIds: readerSelection.optional(),
      max: z.number().int().min(1).nullable().default(5000),
    })
    .refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<FixPreview> {
    const { kind, readerIds = null } = input
    const { id: publicationId } = await ownPublication(ctx, publicationOf(input))
    // Before the readers are read, so that a concurrent change makes it stale.
    const fingerprint = readerIds ? null : await listFingerprint(ctx, { publicationId, kind })
    const preview = await previewRows(ctx, { publicationId, kind, readerIds, max: input.max })
    const total = readerIds ? preview.examined : await countInList(ctx, publicationId, fixKinds[kind].list)
    return { kind, total, fingerprint, ...preview }
  },
})

/**
 * The preview of a fix of a whole list, with the readers that it counted: its confirmation then fixes these, and no later ones. `readerIds` is null
 * for a list that is empty, or too long to name each of them: that is bound to its preview by the fingerprint.
 */
export async function previewListFix(
  ctx: AppContext,
  { publicationId, kind }: { publicationId: number; kind: FixKind },
): Promise<FixPreview & { readerIds: number[] | null }> {
  const { list } = fixKinds[kind]
  const { count } = await countWarning(ctx, { publicationId, list })
  const readerIds = count > 0 && count <= maxSelected ? await listedIds(ctx, { publicationId, list }) : []
  if (readerIds.length === 0) return { ...(await previewFix(ctx, { publicationId, kind })), readerIds: null }
  return { ...(await previewFix(ctx, { publicationId, kind, readerIds })), readerIds }
}

interface PreviewedRows {
  publicationId: number
  kind: FixKind
  /** Only readers after this one, by id. */
  after?: number
  readerId?: number | null
  readerIds?: readonly number[] | null
  /** How many are read; null means all. */
  max: number | null
}

/** What a fix would do to the next readers of its list. */
export async function previewRows(
  ctx: AppContext,
  { publicationId, kind, after = 0, readerId = null, readerIds = null, max }: PreviewedRows,
): Promise<Omit<FixPreview, 'kind' | 'total' | 'fingerprint'>> {
  const preview = { examined: 0, fixable: 0, leftAlone: 0, samples: [] as FixSample[] }
  const end = max ?? Number.MAX_SAFE_INTEGER
  let last = after
  while (preview.examined < end) {
    const limit = Math.min(chunkSize, end - preview.examined)
    const rows = await fixableRows(ctx, { publicationId, kind, after: last, readerId, readerIds, limit })
    for (const row of rows) {
      const changed = fixOf(kind, row)
      preview.examined++
      if (!changed) preview.leftAlone++
      else {
        preview.fixable++
        if (preview.samples.length < sampleSize) preview.samples.push(sampleOf(kind, row, changed))
      }
    }
    last = rows.at(-1)?.id ?? last
    if (rows.length < limit) break
  }
  return preview
}

function sampleOf(kind: FixKind, row: FixableRow, changed: Partial<FixableReader>): FixSample {
  const before = Object.fromEntries(fixKinds[kind].fields.map((field) => [field, row[field]]))
  return { id: row.id, uniqueReference: row.uniqueReference, before, after: { ...before, ...changed } }
}
