import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { bareName, fileNameProblem } from '../imports/file-name.rules.ts'
import { aboutFile, inspectUpload } from '../imports/inspect-upload.ts'
import { sentFile } from '../imports/rows-as-file.ts'
import { storeFile } from '../imports/store-file.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline, startTask } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { type ReportProvider, reportProviders } from './line-kinds.rules.ts'
import { ProviderReports } from './provider-reports.rows.ts'
import { readAndMatch, reportHandler, reportHeader } from './read-report.ts'
import { layoutOf } from './report-layout.rules.ts'
import { type ReportView, reportView } from './reports.query.ts'

const Provider = z.enum(Object.keys(reportProviders) as [ReportProvider, ...ReportProvider[]])

/**
 * Stores a report of a payment provider for the acting publisher; the worker reads it. The provider is detected by the columns. Throws `invalid` for
 * `file` if it is not such a report, and `conflict` while another report is being read.
 */
export const storeReport = useCase({
  permission: 'ledger:reconcile',
  input: z.object({
    fileName: sentFile.fileName,
    chunks: sentFile.chunks.unwrap(),
    announcedBytes: sentFile.announcedBytes,
  }),
  transaction: 'none',
  async run(ctx, input): Promise<ReportView> {
    const publisherId = requirePublisherId(ctx)
    const fileName = bareName(input.fileName ?? '')
    if (fileName === '') throw invalid({ file: 'Choose a CSV file' }, 'Choose a CSV file')
    const problem = fileNameProblem(fileName)
    if (problem) throw aboutFile(problem, 'Choose a file whose name ends in .csv.')
    const { path, bytes } = await storeFile(ctx, publisherId, input)
    try {
      const { provider, file } = await inspectReport(ctx, path, fileName)
      return await ctx.db.transaction(async () => {
        const id = await ProviderReports.insert(ctx, {
          publisherId,
          provider,
          fileName,
          storedFile: path,
          bytes,
          rejects: [],
        })
        await startTask(ctx, 'read-provider-report', taskOf(publisherId, id, file))
        await recordStored(ctx, publisherId, { provider, bytes })
        return reportView(ctx, id)
      })
    } catch (error) {
      await ctx.uploadFiles.remove(path)
      throw error
    }
  },
})

const LocalReport = z.object({
  provider: Provider.optional(),
  file: z.string().min(1, 'Enter the path of the file'),
  fileName: z.string().min(1),
  onProgress: z.custom<(rows: number, total: number) => void>((value) => typeof value === 'function').optional(),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
})

/** Reads a local report file immediately, for the command line. */
export const readReportFile = useCase({
  permission: 'ledger:reconcile',
  input: LocalReport,
  transaction: 'none',
  async run(ctx, { file: path, fileName, provider: requestedProvider, onProgress, signal }): Promise<ReportView> {
    const publisherId = requirePublisherId(ctx)
    const { provider, file } = await inspectReport(ctx, path, fileName, requestedProvider)
    const task = await ctx.db.transaction(async () => {
      const id = await ProviderReports.insert(ctx, { publisherId, provider, fileName, bytes: file.bytes, rejects: [] })
      await recordStored(ctx, publisherId, { provider, bytes: file.bytes })
      // Workers may have no access to this file.
      return startInline(ctx, 'read-provider-report', { ...taskOf(publisherId, id, file), onLost: 'interrupt' })
    })
    const ended = await runInline(ctx, reportHandler({ path, onProgress }), task, signal)
    if (ended.state !== 'done') signal?.throwIfAborted()
    if (ended.state !== 'done') throw conflict(ended.problem ?? 'Stopped before the whole report was read')
    return reportView(ctx, Number(ended.subjectId))
  },
})

/** Does the same as `readReportFile` in the surrounding transaction, which the caller rolls back. */
export const dryRunReport = useCase({
  permission: 'ledger:reconcile',
  input: LocalReport,
  async run(ctx, { file: path, fileName, provider: requestedProvider, onProgress, signal }): Promise<ReportView> {
    const publisherId = requirePublisherId(ctx)
    const { provider, file } = await inspectReport(ctx, path, fileName, requestedProvider)
    const id = await ProviderReports.insert(ctx, { publisherId, provider, fileName, bytes: file.bytes, rejects: [] })
    const report = await ProviderReports.find(ctx, { id })
    if (!report) throw new Error('The report was not saved')
    for await (const { done, total } of readAndMatch(ctx, report, path)) {
      onProgress?.(done, total)
      signal?.throwIfAborted()
    }
    return reportView(ctx, id)
  },
})

async function inspectReport(
  ctx: AppContext,
  path: string,
  fileName: string,
  requestedProvider?: ReportProvider,
): Promise<{ provider: ReportProvider; file: InspectedFile }> {
  const file = await inspectUpload(path, fileName)
  const layout = layoutOf(await reportHeader(ctx, file), requestedProvider)
  if ('problem' in layout)
    throw aboutFile(
      `"${fileName}" is not a report that Masthead can read. ${layout.problem}`,
      'Download Stripe’s itemised payout reconciliation or balance report, or PayPal’s activity or settlement report, with these columns.',
    )
  return { provider: layout.provider, file }
}

/** The task that reads a report. The lock key allows one report of a publisher at a time. */
function taskOf(publisherId: number, subjectId: number, { lines }: InspectedFile) {
  return {
    publication: { id: null, publisherId },
    subjectId,
    lockKey: `report:${publisherId}`,
    total: Math.max(1, lines - 1),
    busy: () =>
      conflict('Another report is being read', { hint: 'Wait until it has finished, then upload the next one.' }),
  }
}

function recordStored(ctx: AppContext, publisherId: number, detail: { provider: ReportProvider; bytes: number }) {
  return recordAudit(ctx, 'read-provider-report', { type: 'sales-ledger', id: null, publisherId }, detail)
}
