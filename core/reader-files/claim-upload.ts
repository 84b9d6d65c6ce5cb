import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { conflict } from '../kernel/errors.ts'
import { countOf } from '../kernel/words.ts'
import type { InspectedFile } from './reader-file-store.ts'

interface UploadRow {
  id: number
  state: string
  sha256: string
  kind: string
  file_name: string
  records_done: number
  added: number
  failed: number
  locked_until: Date | string | null
  mapping: string | { owner?: string } | null
}

/** What an upload row says before this run: where it goes on from. */
export interface ClaimedUpload {
  id: number
  recordsDone: number
  added: number
  failed: number
  isResumed: boolean
}

interface Claim {
  publicationId: number
  mode: 'add'
  fileName: string
  file: InspectedFile
  columns: number[]
  again: boolean
}

/** The first lock; commits renew it. */
const lockLength = 30_000

/**
 * Takes the one place an import has per publication: goes on with an interrupted run of the same file, or begins a new one. Refused
 * while another runs, and for a file that was imported before unless it is asked for.
 */
export function claimUpload(ctx: AppContext, claim: Claim): Promise<ClaimedUpload> {
  const { publicationId, mode, file } = claim
  return ctx.db.transaction(async () => {
    if (ctx.db.dialect === 'postgres') {
      // Two claims at once take turns; on SQLite transactions do so anyway.
      await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId FOR UPDATE`, { publicationId })
    }
    const rows = await ctx.db.query<UploadRow>(
      `SELECT id, state, sha256, kind, file_name, records_done, added, failed, locked_until, mapping FROM uploads
       WHERE publication_id = :publicationId AND (state IN ('running', 'interrupted') OR (sha256 = :sha256 AND kind = :mode))
       ORDER BY id DESC`,
      { publicationId, sha256: file.sha256, mode },
    )
    const running = rows.find((row) => row.state === 'running' && isHeld(ctx, row))
    if (running) {
      throw conflict(`An import of "${running.file_name}" into this publication is running`, {
        hint: 'Wait until it has ended, then try again.',
      })
    }
    const same = rows.filter((row) => row.sha256 === file.sha256 && row.kind === mode)
    const broken = same.find(({ state }) => state === 'running' || state === 'interrupted')
    if (broken) return resume(ctx, broken, claim)
    const done = same.find(({ state }) => state === 'done')
    if (done && !claim.again) {
      throw conflict(`This file was imported before, with ${countOf(Number(done.added), 'reader')} added`, {
        hint: 'To import it once more, use --again.',
      })
    }
    return begin(ctx, claim)
  })
}

function isHeld(ctx: AppContext, row: UploadRow): boolean {
  if (row.locked_until === null || asInstant(row.locked_until) <= ctx.now()) return false
  const mapping = typeof row.mapping === 'string' ? (JSON.parse(row.mapping) as { owner?: string }) : row.mapping
  return !(mapping?.owner && ctx.readerFiles.isOwnerGone(mapping.owner))
}

function mappingOf(ctx: AppContext, { columns, file }: Claim): string {
  return JSON.stringify({ columns, header: file.header, owner: ctx.readerFiles.owner() })
}

function lockedUntil(ctx: AppContext): Date {
  return new Date(ctx.now().getTime() + lockLength)
}

async function resume(ctx: AppContext, row: UploadRow, claim: Claim): Promise<ClaimedUpload> {
  await ctx.db.run(
    `UPDATE uploads SET state = 'running', locked_until = :lockedUntil, mapping = :mapping, problem = NULL WHERE id = :id`,
    { id: row.id, lockedUntil: lockedUntil(ctx), mapping: mappingOf(ctx, claim) },
  )
  return {
    id: row.id,
    recordsDone: Number(row.records_done),
    added: Number(row.added),
    failed: Number(row.failed),
    isResumed: true,
  }
}

async function begin(ctx: AppContext, claim: Claim): Promise<ClaimedUpload> {
  const { file } = claim
  const [made] = await ctx.db.query<{ id: number }>(
    `INSERT INTO uploads (publication_id, kind, state, file_name, stored_file, bytes, sha256, encoding, delimiter, mapping, actor_kind,
                          actor_id, locked_until, started_at)
     VALUES (:publicationId, :kind, 'running', :fileName, :storedFile, :bytes, :sha256, :encoding, :delimiter, :mapping, :actorKind,
             :actorId, :lockedUntil, :now)
     RETURNING id`,
    {
      publicationId: claim.publicationId,
      kind: claim.mode,
      fileName: claim.fileName.slice(0, 255),
      storedFile: file.path.slice(0, 500),
      bytes: file.bytes,
      sha256: file.sha256,
      encoding: file.encoding,
      delimiter: file.delimiter,
      mapping: mappingOf(ctx, claim),
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      lockedUntil: lockedUntil(ctx),
      now: ctx.now(),
    },
  )
  return { id: Number(made?.id), recordsDone: 0, added: 0, failed: 0, isResumed: false }
}
