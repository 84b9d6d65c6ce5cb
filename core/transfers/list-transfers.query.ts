import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asInstant, asNullableInstant } from '../database.ts'
import { recordVersion } from '../kernel/record-version.ts'
import { ownPublication, tenantOf } from '../publications/own-publication.ts'
import { publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import type { TaskState } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { type AlertableUser, alertableUsers } from './alert-users.query.ts'
import { ownTransfer } from './own-transfer.ts'
import type { TransferFileState } from './transfer-file-labels.rules.ts'
import { type StartedBy, TransferFiles } from './transfer-runs.rows.ts'
import { selectTransfers, type Transfer, type TransferRow } from './transfers.rows.ts'

export interface ShownRun {
  id: number
  transferId: number
  /** The transfer's name. */
  name: string
  startedBy: StartedBy
  startedAt: Date
  endedAt: Date | null
  state: TaskState
  /** Why the run, or its last attempt, failed. */
  problem: string | null
  files: {
    name: string
    bytes: number
    sha256: string
    state: TransferFileState
    readers: number
    uploadId: number | null
    problem: string | null
  }[]
}

/** A transfer as staff see it: without credentials. */
export interface ListedTransfer extends Omit<TransferRow, 'secretSealed' | 'removedAt' | 'madeBy' | 'alertUsers'> {
  urlKey: string
  publicationName: string
  lastRun: ShownRun | null
}

function shownFields({
  secretSealed: _,
  removedAt: __,
  madeBy: ___,
  alertUsers: ____,
  publisherId: _____,
  ...shown
}: Transfer) {
  return shown
}

/** The transfers of a publication, or of all that the actor may act on, with the last run of each. */
export const listTransfers = useCase({
  permission: 'transfer:write',
  input: z.object(publicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<ListedTransfer[]> {
    const isForOne = input.publicationId !== undefined || input.urlKey !== undefined
    const publication = isForOne ? await ownPublication(ctx, publicationOf(input)) : null
    const { publisherId } = tenantOf(ctx)
    const transfers = await selectTransfers(
      ctx,
      `${publication ? 'x.publication_id = :publicationId' : '1 = 1'} ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}
       ORDER BY p.url_key, x.id`,
      {
        ...(publication ? { publicationId: publication.id } : {}),
        ...(publisherId === undefined ? {} : { publisherId }),
      },
    )
    const runs = await transferRuns(ctx, { publicationId: publication?.id, isLast: true, limit: transfers.length })
    const lastRuns = new Map(runs.map((run) => [run.transferId, run]))
    return transfers.map((transfer) => ({ ...shownFields(transfer), lastRun: lastRuns.get(transfer.id) ?? null }))
  },
})

export interface ShownTransfer extends Omit<ListedTransfer, 'lastRun'> {
  /** Identifies this state of its settings: sent along when they are saved. */
  version: string
  /** Whether a password, key or header is stored. */
  hasSecret: boolean
  alertUsers: number[]
  people: AlertableUser[]
  runs: ShownRun[]
}

/** The number of runs that a transfer's log shows. */
export const maxRuns = 50

/** A transfer with its log, the newest run first. */
export const getTransfer = useCase({
  permission: 'transfer:write',
  input: z.object({ transferId: z.coerce.number().int() }),
  transaction: 'none',
  async run(ctx, { transferId }): Promise<ShownTransfer> {
    const transfer = await ownTransfer(ctx, transferId)
    return {
      ...shownFields(transfer),
      version: recordVersion(transfer),
      hasSecret: transfer.secretSealed !== null,
      alertUsers: transfer.alertUsers,
      people: await alertableUsers(ctx, transfer.publisherId),
      runs: await transferRuns(ctx, { transferId, limit: maxRuns }),
    }
  },
})

/** Who may be notified of a failure, for the form that adds a transfer. */
export const listAlertable = useCase({
  permission: 'transfer:write',
  input: z.object({ publicationId: z.coerce.number().int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<AlertableUser[]> {
    return alertableUsers(ctx, (await ownPublication(ctx, { id: publicationId })).publisherId)
  },
})

/** The log of one transfer, or of all of the actor's: the newest runs first. */
export const listTransferRuns = useCase({
  permission: 'transfer:write',
  input: z.object({
    ...publicationRef,
    transferId: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
  }),
  transaction: 'none',
  async run(ctx, { transferId, limit, ...reference }): Promise<ShownRun[]> {
    if (transferId !== undefined) await ownTransfer(ctx, transferId)
    const isForOne = reference.publicationId !== undefined || reference.urlKey !== undefined
    const publication = isForOne ? await ownPublication(ctx, publicationOf(reference)) : null
    return transferRuns(ctx, { transferId, publicationId: publication?.id, limit })
  },
})

/** Runs of the acting publisher's transfers, with their files. The caller has checked that a given transfer or publication is the actor's own. */
export async function transferRuns(
  ctx: AppContext,
  filter: {
    runId?: number
    transferId?: number | undefined
    publicationId?: number | undefined
    /** Only the newest run of each transfer. */
    isLast?: boolean
    limit: number
  },
): Promise<ShownRun[]> {
  const { publisherId } = tenantOf(ctx)
  const values = {
    ...(filter.runId === undefined ? {} : { runId: filter.runId }),
    ...(filter.transferId === undefined ? {} : { transferId: filter.transferId }),
    ...(filter.publicationId === undefined ? {} : { publicationId: filter.publicationId }),
    ...(publisherId === undefined ? {} : { publisherId }),
  }
  const conditions = [
    '1 = 1',
    ...(filter.runId === undefined ? [] : ['r.id = :runId']),
    ...(filter.isLast ? ['r.id = (SELECT MAX(l.id) FROM transfer_runs l WHERE l.transfer_id = r.transfer_id)'] : []),
    ...(filter.transferId === undefined ? [] : ['r.transfer_id = :transferId']),
    ...(filter.publicationId === undefined ? [] : ['x.publication_id = :publicationId']),
    ...(publisherId === undefined ? [] : ['p.publisher_id = :publisherId']),
  ]
  const rows = await ctx.db.query<{
    id: number
    transfer_id: number
    name: string
    started_by: StartedBy
    started_at: Date | string
    finished_at: Date | string | null
    state: TaskState
    problem: string | null
  }>(
    `SELECT r.id, r.transfer_id, x.name, r.started_by, r.started_at, t.finished_at, t.state, t.problem
     FROM transfer_runs r JOIN transfers x ON x.id = r.transfer_id JOIN publications p ON p.id = x.publication_id
     JOIN tasks t ON t.kind = CASE WHEN x.kind = 'import' THEN 'pull-readers' ELSE 'push-mailing-file' END AND t.subject_id = r.id
     WHERE ${conditions.join(' AND ')} ORDER BY r.id DESC LIMIT :limit`,
    { ...values, limit: filter.limit },
  )
  if (rows.length === 0) return []
  const files = await TransferFiles.rows(
    ctx,
    `SELECT ${TransferFiles.columns()} FROM transfer_files WHERE run_id IN (:ids) ORDER BY id`,
    { ids: rows.map(({ id }) => id) },
  )
  return rows.map((row) => ({
    id: Number(row.id),
    transferId: Number(row.transfer_id),
    name: row.name,
    startedBy: row.started_by,
    startedAt: asInstant(row.started_at),
    endedAt: asNullableInstant(row.finished_at),
    state: row.state,
    problem: row.problem,
    files: files
      .filter(({ runId }) => runId === Number(row.id))
      .map(({ name, bytes, sha256, state, readers, uploadId, problem }) => ({
        name,
        bytes: Number(bytes),
        sha256,
        state,
        readers,
        uploadId,
        problem,
      })),
  }))
}
