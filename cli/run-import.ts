import type { ImportMode, ImportTarget } from '#core/imports/import-modes.rules.ts'
import type { ImportProgress, ImportReport } from '#core/imports/import-report.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import type { CliOutput } from './cli-output.ts'
import { makeProgress } from './progress.ts'
import type { Session } from './session.ts'

/** The input of an import. */
export interface ImportRequest {
  urlKey: string
  file: string
  fileName: string
  mode: ImportMode
  target: ImportTarget
  mapping: Record<string, string> | string[] | undefined
  mapFile?: string | undefined
  encoding?: string | undefined
  delimiter?: string | undefined
  lenient?: boolean
  dryRun: boolean
  /** The hash of the file that was previewed. */
  sha256?: string
  again: boolean
  /** The stopped import to resume. */
  uploadId?: number
}

const titles = { reading: 'Reading', comparing: 'Comparing', writing: 'Importing' } as const

/** Runs an import with its progress; Ctrl-C stops it at a checkpoint. */
export async function runImport(cliOutput: CliOutput, { ctx }: Session, request: ImportRequest): Promise<ImportReport> {
  const { importReaders } = await import('#core/imports/import-readers.ts')
  const { signal } = cliOutput.io
  let current: { phase: string; progress: ReturnType<typeof makeProgress> } | undefined
  const show = ({ phase, rows, totalRows, rejected }: ImportProgress) => {
    if (current?.phase !== phase) {
      current?.progress.end()
      const title = request.dryRun && phase === 'writing' ? 'Checking' : titles[phase]
      current = { phase, progress: makeProgress(cliOutput, `${title} ${request.fileName}`, 'rows') }
    }
    current.progress.update(rows, totalRows, rejected > 0 ? `${formatCount(rejected)} rejected` : undefined)
  }
  const printStop = () => {
    current?.progress.end()
    cliOutput.say('Stopping at a checkpoint ... (Ctrl-C again stops at once; committed rows stay)')
  }
  signal.addEventListener('abort', printStop, { once: true })
  try {
    return await importReaders(ctx, {
      ...request,
      onProgress: (progress: ImportProgress) => {
        if (!signal.aborted) show(progress)
      },
      signal,
    })
  } finally {
    signal.removeEventListener('abort', printStop)
    current?.progress.end()
  }
}
