import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { type AppError, conflict, isAppError, notFound } from '../kernel/errors.ts'
import { countOf } from '../kernel/words.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import { isOwnerGone, runOwner } from './run-owner.ts'
import type { UploadState } from './upload-states.rules.ts'

/** What an upload's JSON says of its run. */
interface Kept {
  owner?: string
  newestReaderId?: number
}

interface UploadRow {
  id: number
  state: UploadState
  sha256: string
  kind: string
  target: string
  file_name: string
  records_done: number
  added: number
  updated: number
  unchanged: number
  removed: number
  repeated: number
  failed: number
  locked_until: Date | string | null
  mapping: string | Kept | null
}

/** Counts of rows and readers that an upload has settled. */
export interface UploadCounts {
  added: number
  updated: number
  unchanged: number
  removed: number
  repeated: number
  failed: number
}

/** What an upload row says before this run: where it goes on from. */
export interface ClaimedUpload {
  id: number
  recordsDone: number
  counts: UploadCounts
  /** The last reader there was when the import was begun. */
  newestReaderId: number
  isResumed: boolean
}

export interface Claim {
  publicationId: number
  /** An upload that waits to be run; without it one is made. */
  uploadId: number | undefined
  mode: ImportMode
  target: ImportTarget
  fileName: string
  file: InspectedFile
  columns: number[]
  again: boolean
}

/** The first lock; commits renew it. */
const lockLength = 30_000

/**
 * Takes the one place an import has per publication: goes on with an interrupted run of the same file, runs one that waits, or begins a
 * new one. Refused while another has the place, and for a file that was imported before unless it is asked for.
 */
export async function claimUpload(ctx: AppContext, claim: Claim): Promise<ClaimedUpload> {
  const { publicationId, mode, target, file, uploadId } = claim
  return ctx.db.transaction(async () => {
    await lockPublication(ctx, publicationId)
    const rows = await ctx.db.query<UploadRow>(
      `SELECT id, state, sha256, kind, target, file_name, records_done, added, updated, unchanged, removed, repeated, failed, locked_until,
              mapping FROM uploads
       WHERE publication_id = :publicationId
         AND (id = :uploadId OR state IN ('waiting', 'running', 'interrupted', 'undoing') OR (sha256 = :sha256 AND kind = :mode))
       ORDER BY id DESC`,
      { publicationId, sha256: file.sha256, mode, uploadId: uploadId ?? -1 },
    )
    const open = rows.filter(({ state }) => ['waiting', 'running', 'interrupted', 'undoing'].includes(state))
    const busy = open.filter(({ state }) => state !== 'interrupted')
    const held = busy.find((row) => row.state === 'running' && isUploadHeld(ctx, row))
    if (held) throw busyWith(held)
    const isSame = (row: UploadRow) => row.sha256 === file.sha256 && row.kind === mode && row.target === target
    const own =
      uploadId === undefined
        ? open.find((row) => isSame(row) && (row.state === 'running' || row.state === 'interrupted'))
        : rows.find(({ id }) => Number(id) === uploadId)
    const other = busy.find((row) => row !== own)
    if (other) throw busyWith(other)
    if (uploadId !== undefined) {
      if (!own) throw notFound('The upload')
      if (!open.includes(own))
        throw conflict(`The upload of "${own.file_name}" does not wait to be run: it is ${own.state}`)
      if (Number(own.records_done) > 0 && own.sha256 !== file.sha256)
        throw conflict(`The file "${own.file_name}" is not what it was when its import was begun`, {
          hint: 'Put the file back as it was, or end this import and begin a new one.',
        })
    }
    if (own) return resume(ctx, own, claim)
    const done = rows.find((row) => isSame(row) && row.state === 'done')
    if (done && !claim.again) {
      throw conflict(`This file was imported before, with ${countOf(Number(done.added), 'reader')} added`, {
        hint: 'To import it once more, use --again.',
      })
    }
    return begin(ctx, claim)
  })
}

/** Two claims at once take turns; on SQLite transactions do so anyway. */
export async function lockPublication(ctx: AppContext, publicationId: number): Promise<void> {
  if (ctx.db.dialect !== 'postgres') return
  await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId FOR UPDATE`, { publicationId })
}

/** The refusal while another upload has the publication's one place. */
export function busyWith(row: { id: number; state: UploadState; file_name: string }): AppError {
  const what = {
    waiting: `An upload of "${row.file_name}" into this publication waits to be run`,
    undoing: `The import of "${row.file_name}" into this publication is being undone`,
  }[row.state as string]
  return conflict(what ?? `An import of "${row.file_name}" into this publication is running`, {
    hint: 'Wait until it has ended, then try again.',
    detail: { uploadId: Number(row.id) },
  })
}

/** What a run learns that stood still so long that another one has taken its upload over, or ended it: nothing of it counts any more. */
export function lostPlace(): AppError {
  return conflict('Another process has taken this import over, or ended it', { detail: { isPlaceLost: true } })
}

export function isPlaceLost(error: unknown): boolean {
  return isAppError(error) && (error.detail as { isPlaceLost?: boolean } | undefined)?.isPlaceLost === true
}

/** Whether the process that runs an upload is still there. */
export function isUploadHeld(
  ctx: AppContext,
  row: { locked_until: Date | string | null; mapping: string | Kept | null },
): boolean {
  if (row.locked_until === null || asInstant(row.locked_until) <= ctx.now()) return false
  const { owner } = keptOf(row)
  return !(owner && isOwnerGone(owner))
}

function keptOf({ mapping }: { mapping: string | Kept | null }): Kept {
  return (typeof mapping === 'string' ? (JSON.parse(mapping) as Kept | null) : mapping) ?? {}
}

function mappingOf({ columns, file }: Claim, newestReaderId: number): string {
  return JSON.stringify({ columns, header: file.header, owner: runOwner(), newestReaderId })
}

async function newestReader(ctx: AppContext): Promise<number> {
  const [row] = await ctx.db.query<{ id: number | null }>(`SELECT max(id) AS id FROM readers`)
  return Number(row?.id ?? 0)
}

function lockedUntil(ctx: AppContext): Date {
  return new Date(ctx.now().getTime() + lockLength)
}

async function resume(ctx: AppContext, row: UploadRow, claim: Claim): Promise<ClaimedUpload> {
  const newestReaderId = keptOf(row).newestReaderId ?? (await newestReader(ctx))
  const isFirst = row.state === 'waiting'
  await ctx.db.run(
    `UPDATE uploads SET state = 'running', locked_until = :lockedUntil, mapping = :mapping, problem = NULL, phase = NULL, phase_rows = 0,
       stop_asked_at = NULL
       ${isFirst ? ', started_at = :now' : ''} WHERE id = :id`,
    { id: row.id, lockedUntil: lockedUntil(ctx), mapping: mappingOf(claim, newestReaderId), now: ctx.now() },
  )
  return {
    id: Number(row.id),
    recordsDone: Number(row.records_done),
    counts: {
      added: Number(row.added),
      updated: Number(row.updated),
      unchanged: Number(row.unchanged),
      removed: Number(row.removed),
      repeated: Number(row.repeated),
      failed: Number(row.failed),
    },
    newestReaderId,
    isResumed: !isFirst,
  }
}

async function begin(ctx: AppContext, claim: Claim): Promise<ClaimedUpload> {
  const { file } = claim
  const newestReaderId = await newestReader(ctx)
  const [made] = await ctx.db.query<{ id: number }>(
    `INSERT INTO uploads (publication_id, kind, target, state, file_name, stored_file, bytes, sha256, encoding, delimiter, mapping,
                          actor_kind, actor_id, locked_until, started_at)
     VALUES (:publicationId, :kind, :target, 'running', :fileName, :storedFile, :bytes, :sha256, :encoding, :delimiter, :mapping,
             :actorKind, :actorId, :lockedUntil, :now)
     RETURNING id`,
    {
      publicationId: claim.publicationId,
      kind: claim.mode,
      target: claim.target,
      fileName: claim.fileName.slice(0, 255),
      storedFile: file.path.slice(0, 500),
      bytes: file.bytes,
      sha256: file.sha256,
      encoding: file.encoding,
      delimiter: file.delimiter,
      mapping: mappingOf(claim, newestReaderId),
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      lockedUntil: lockedUntil(ctx),
      now: ctx.now(),
    },
  )
  return {
    id: Number(made?.id),
    recordsDone: 0,
    counts: { added: 0, updated: 0, unchanged: 0, removed: 0, repeated: 0, failed: 0 },
    newestReaderId,
    isResumed: false,
  }
}
