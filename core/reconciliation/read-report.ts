import type { AppContext } from '../context.ts'
import { inspectUpload } from '../imports/inspect-upload.ts'
import type { Day } from '../kernel/dates.ts'
import { invalid } from '../kernel/errors.ts'
import { closedBy, lockedClosedUntil, openDay } from '../ledger/ledger-close-states.rows.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import type { RowOf } from '../table.ts'
import type { Task, TaskHandler, TaskRun } from '../tasks/task.ts'
import { lineKinds } from './line-kinds.rules.ts'
import { matchNext } from './match-lines.ts'
import {
  addedLater,
  addLines,
  assignWithdrawals,
  completeLines,
  type StoredLine,
  storedLines,
} from './provider-lines.rows.ts'
import { ProviderReports, type ReportCounts } from './provider-reports.rows.ts'
import { layoutOf, settlementRows } from './report-layout.rules.ts'
import { makeDateOrder, type Reading, type ReportLine, readRow } from './report-line.rules.ts'

type Report = RowOf<typeof ProviderReports>
type OnProgress = (rows: number, total: number) => void

/**
 * The task that reads a report, stores each new line and matches the unexplained lines. After an interruption it starts from the beginning. `path`:
 * a local file, for the command line, in place of the stored one.
 */
export function reportHandler({
  path,
  onProgress,
}: {
  path?: string
  onProgress?: OnProgress | undefined
} = {}): TaskHandler {
  return {
    transactions: 'engine',
    async open(ctx, run) {
      const report = await reportOf(ctx, run.task)
      const steps = readAndMatch(ctx, report, path ?? report.storedFile ?? '')
      return { step: () => nextStep(steps, run, onProgress) }
    },
    canTakeOver: async (ctx, task) => {
      const { storedFile } = await reportOf(ctx, task)
      return storedFile !== null && (await ctx.uploadFiles.exists(storedFile))
    },
    async cleanUp(ctx, task) {
      const { storedFile } = await reportOf(ctx, task)
      if (storedFile !== null) await ctx.uploadFiles.remove(storedFile)
    },
  }
}

async function reportOf(ctx: AppContext, { subjectId }: Task): Promise<Report> {
  const row = await ProviderReports.find(ctx, { id: subjectId ?? -1 })
  if (!row) throw new Error(`There is no report ${subjectId}`)
  return row
}

async function nextStep(steps: AsyncGenerator<ReadStep>, run: TaskRun, onProgress: OnProgress | undefined) {
  const { value } = await steps.next()
  if (!value) return { isLast: true }
  const { phase, done, total } = value as ReadStep
  onProgress?.(done, total)
  return { phase, done, total: Math.max(done, run.task.total), isLast: false }
}

interface ReadStep {
  phase: 'reading' | 'matching'
  done: number
  total: number
}

/** Reads and matches a report step by step. The caller must open a transaction before it requests the next step. */
export async function* readAndMatch(ctx: AppContext, report: Report, path: string): AsyncGenerator<ReadStep> {
  const file = await inspectUpload(path, report.fileName)
  const header = await reportHeader(ctx, file)
  const reading = await readingOf(ctx, report, { file, header })
  const counts: ReportCounts = {
    added: 0,
    alreadyRead: 0,
    ignored: 0,
    failed: 0,
    rejects: [],
    firstOn: null,
    lastOn: null,
  }
  let done = 0
  const isSettlement = reading.layout.shape === 'settlement'
  for await (const records of ctx.uploadFiles.records(file)) {
    const batch = isSettlement ? records.filter(({ cells }) => cells[0] === settlementRows.transaction) : records
    for (let from = 0; from < batch.length; from += batchSize) {
      const rows = batch.slice(from, from + batchSize)
      await storeRows(ctx, { report, header, reading, counts }, rows)
      done += rows.length
      await ProviderReports.update(ctx, { id: report.id }, { ...counts })
      yield { phase: 'reading', done, total: Math.max(done, file.lines - 1) }
    }
  }
  if (report.provider === 'paypal' && counts.firstOn !== null) {
    await assignWithdrawals(ctx, { publisherId: report.publisherId, fromOn: counts.firstOn })
    yield { phase: 'matching', done, total: done }
  }
  for (let after: number | null = 0; after !== null; ) {
    after = await matchNext(ctx, report.publisherId, after)
    yield { phase: 'matching', done, total: done }
  }
}

/** How many rows are written together. */
const batchSize = 1000
const maxStoredRejects = 200

/** The names of a report's columns: its first row, or the header row of a settlement report. */
export async function reportHeader(
  ctx: Pick<AppContext, 'uploadFiles'>,
  file: InspectedFile,
): Promise<readonly string[]> {
  if (file.header[0] !== settlementRows.first) return file.header
  for await (const batch of ctx.uploadFiles.records(file)) {
    const columnRow = batch.find(({ cells }) => cells[0] === settlementRows.columns)
    if (columnRow) return columnRow.cells
  }
  return file.header
}

/** How the rows of a file are read. Throws `invalid` if a required column is missing. */
async function readingOf(
  ctx: AppContext,
  report: Report,
  { file, header }: { file: InspectedFile; header: readonly string[] },
): Promise<Reading> {
  const layout = layoutOf(header, report.provider)
  if ('problem' in layout) throw invalid({ file: layout.problem }, layout.problem)
  const dates = makeDateOrder()
  const { date, zone } = layout.places
  if (date !== undefined) {
    for await (const batch of ctx.uploadFiles.records(file))
      for (const { cells } of batch) dates.inspect(cells[date] ?? '', zone === undefined ? '' : (cells[zone] ?? ''))
  }
  return { layout, timeZone: ctx.settings.timeZone, dates: dates.order() }
}

async function storeRows(
  ctx: AppContext,
  {
    report,
    header,
    reading,
    counts,
  }: { report: Report; header: readonly string[]; reading: Reading; counts: ReportCounts },
  rows: readonly { line: number; cells: string[] }[],
): Promise<void> {
  const { id: reportId, publisherId, provider } = report
  const refuse = (line: number, reason: string) => {
    counts.failed++
    if (counts.rejects.length < maxStoredRejects) counts.rejects.push({ line, reason })
  }
  const readLines: { lineNumber: number; line: ReportLine }[] = []
  for (const { line: lineNumber, cells } of rows) {
    const row = readRow(cells, header.length, reading)
    if ('problem' in row) refuse(lineNumber, row.problem)
    else if ('ignored' in row) counts.ignored++
    else readLines.push({ lineNumber, line: row.line })
  }
  const keys = [...new Set(readLines.map(({ line }) => line.lineKey)), '']
  const known = await storedLines(ctx, { publisherId, provider, keys })
  const knownByKey = new Map<string, StoredLine>(known.map((line) => [line.lineKey, line]))
  const newLines = new Map<string, ReportLine>()
  const completed: { stored: StoredLine; line: ReportLine }[] = []
  for (const { lineNumber, line } of readLines) {
    const same = newLines.get(line.lineKey) ?? knownByKey.get(line.lineKey)
    if (
      same &&
      (Number(same.gross) !== line.gross || Number(same.net) !== line.net || same.currency !== line.currency)
    ) {
      refuse(lineNumber, `${line.lineKey} was read before with a different amount: the first one is kept`)
      continue
    }
    if (counts.firstOn === null || line.occurredOn < counts.firstOn) counts.firstOn = line.occurredOn
    if (counts.lastOn === null || line.occurredOn > counts.lastOn) counts.lastOn = line.occurredOn
    if (!same) {
      newLines.set(line.lineKey, line)
      counts.added++
      continue
    }
    // After a restart, the lines that this report has already added still count as added.
    if ('reportId' in same && Number(same.reportId) === reportId) counts.added++
    else counts.alreadyRead++
    if ('id' in same && hasMoreData(same, line)) completed.push({ stored: same, line })
  }
  const closedUntil = await lockedClosedUntil(ctx, publisherId)
  const isClosed = closedBy(closedUntil)
  await addLines(
    ctx,
    { publisherId, reportId, provider },
    [...newLines.values()].map((line) => ({
      ...line,
      postedOn: postedOn(line, closedUntil),
      ...(lineKinds[line.kind].isOfOrder
        ? ({ state: 'open', explainedOn: null } as const)
        : ({ state: 'none', explainedOn: openDay(closedUntil, line.occurredOn) } as const)),
    })),
  )
  await completeLines(
    ctx,
    completed.map(({ stored, line }) => ({
      ...line,
      id: Number(stored.id),
      // The journal of a closed month does not change.
      postedOn: isPosted(stored) && isClosed(stored.postedOn) ? stored.postedOn : postedOn(line, closedUntil),
    })),
  )
}

/** Whether a journal contains a line: lines of orders are only posted as part of a payout. */
function isPosted({ kind, payoutReference }: StoredLine): boolean {
  return payoutReference !== null || !lineKinds[kind].isOfOrder
}

/** The day under which a line is posted: that of its payout, or its own for a fee; the first open day if that month is closed. */
function postedOn({ kind, occurredOn, payoutOn }: ReportLine, closedUntil: Day | null): Day {
  return openDay(closedUntil, kind === 'fee' ? occurredOn : (payoutOn ?? occurredOn))
}

function hasMoreData(stored: StoredLine, line: ReportLine): boolean {
  return addedLater.some((name) => stored[name] === null && line[name] !== null)
}
