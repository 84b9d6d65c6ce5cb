import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { bareName, fileNameProblem } from '../imports/file-name.rules.ts'
import { aboutFile, inspectUpload } from '../imports/inspect-upload.ts'
import { inspectFile } from '../imports/load/inspect-file.ts'
import { rowsAsFile, sentFile } from '../imports/rows-as-file.ts'
import { storeFile } from '../imports/store-file.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import type { PostcodeLoad } from '../ports/postcode-load.ts'
import { postcodeColumn } from '../postcodes/postcode-cell.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { countRecheck } from '../readers/recheck-post-codes.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline, startTask } from '../tasks/start-task.ts'
import type { Task } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { postcodesHandler } from './import-postcodes.ts'
import { loadPostcodes, postcodeFormat } from './load-postcodes.ts'
import {
  type PostcodeFileContents,
  type PostcodeFileView,
  postcodeFileRow,
  postcodeFileView,
} from './postcode-file-row.ts'
import { PostcodeFiles } from './postcode-files.rows.ts'

/** Stores a file of valid postcodes for a publication; the worker reads it. Throws `conflict` while another one is being imported. */
export const storePostcodes = useCase({
  permission: 'reader:import',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    ...sentFile,
  }),
  transaction: 'none',
  async run(ctx, input): Promise<PostcodeFileView> {
    const publication = await ownPublication(ctx, { id: input.publicationId })
    const fileName = input.chunks ? bareName(input.fileName ?? '') : 'rows.csv'
    if (fileName === '') throw invalid({ file: 'Choose a CSV file' }, 'Choose a CSV file')
    const problem = fileNameProblem(fileName)
    if (problem) throw aboutFile(problem, 'Choose a file whose name ends in .csv, such as the template.')
    const { path, bytes } = await storeFile(ctx, publication.publisherId, {
      chunks: input.chunks ?? rowsAsFile(input.csvdata),
      announcedBytes: input.announcedBytes,
    })
    try {
      const { header, lines } = await inspectUpload(path, fileName, postcodeFormat)
      if (!postcodeColumn(header))
        throw aboutFile(`"${fileName}" has no postcode column`, 'Name the column PostCode, as in the template.')
      return await ctx.db.transaction(async () => {
        const id = await addFile(ctx, { publication, fileName, storedFile: path, bytes })
        await startTask(ctx, 'import-postcodes', taskOf(ctx, publication, id, lines))
        await recordAudit(
          ctx,
          'import-postcodes',
          { type: 'publication', id: publication.id, publisherId: publication.publisherId },
          { bytes },
        )
        return viewOf(ctx, id)
      })
    } catch (error) {
      await ctx.uploadFiles.remove(path)
      throw error
    }
  },
})

const LocalFile = z
  .object({
    ...publicationRef,
    file: z.string().min(1, 'Enter the path of the file'),
    fileName: z.string().min(1),
    onProgress: z.custom<(rows: number, total: number) => void>((value) => typeof value === 'function').optional(),
    signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  })
  .refine(...hasPublicationRef)

/** Reports what `readPostcodes` would do, without changing anything: the codes are only held in memory. */
export const previewPostcodes = useCase({
  permission: 'reader:import',
  input: LocalFile,
  transaction: 'none',
  async run(ctx, { file, fileName, onProgress, signal, ...reference }): Promise<PostcodeFileContents> {
    const { id: publicationId } = await ownPublication(ctx, publicationOf(reference))
    const codes = new Set<string>()
    const inMemory: PostcodeLoad = {
      async add(added) {
        for (const code of added) codes.add(code)
      },
      async finish() {},
      async close() {},
    }
    const loaded = await loadPostcodes(ctx, {
      path: file,
      fileName,
      openLoad: async () => inMemory,
      onProgress,
      signal,
    })
    const changed = await countRecheck(ctx.db, { publicationId, isValid: (code) => codes.has(code) })
    return { fileName, ...loaded, codes: codes.size, changed }
  },
})

/** Imports a local file immediately, for the command line. */
export const readPostcodes = useCase({
  permission: 'reader:import',
  input: LocalFile,
  transaction: 'none',
  async run(ctx, { file, fileName, onProgress, signal, ...reference }): Promise<PostcodeFileView> {
    const publication = await ownPublication(ctx, publicationOf(reference))
    const { bytes, lines } = await inspectFile(file, postcodeFormat)
    const task = await ctx.db.transaction(async () => {
      const id = await addFile(ctx, { publication, fileName, storedFile: null, bytes })
      // Workers may have no access to this file.
      return startInline(ctx, 'import-postcodes', { ...taskOf(ctx, publication, id, lines), onLost: 'interrupt' })
    })
    const ended = await runInline(ctx, postcodesHandler({ path: file, onProgress }), task, signal)
    if (ended.state !== 'done') signal?.throwIfAborted()
    if (ended.state !== 'done') throw conflict(ended.problem ?? 'Reading the postcode file was interrupted')
    return viewOf(ctx, Number(ended.subjectId))
  },
})

interface NewFile {
  publication: { id: number; publisherId: number }
  fileName: string
  storedFile: string | null
  bytes: number
}

/** Adds the row of a file, in the running transaction. */
function addFile(ctx: AppContext, { publication, ...file }: NewFile): Promise<number> {
  return PostcodeFiles.insert(ctx, { publicationId: publication.id, ...file, rejects: [] })
}

/** One file of a publication at a time. */
function taskOf(ctx: AppContext, { id, publisherId }: NewFile['publication'], subjectId: number, lines: number) {
  return {
    publication: { id, publisherId },
    subjectId,
    lockKey: `postcodes:${id}`,
    total: Math.max(1, lines - 1),
    async busy(holder: Task) {
      const current = await postcodeFileRow(ctx.db, holder.subjectId ?? -1)
      return conflict(`The postcode file "${current?.fileName}" of this publication is being read`, {
        hint: 'Wait until it is finished, then upload the next one.',
      })
    },
  }
}

async function viewOf(ctx: AppContext, id: number): Promise<PostcodeFileView> {
  const row = await postcodeFileRow(ctx.db, id)
  if (!row) throw new Error(`The postcode file ${id} no longer exists`)
  return postcodeFileView(row)
}
