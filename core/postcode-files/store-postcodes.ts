import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { namesPublication, publicationOf, whichPublication } from '../reader-files/which-publication.input.ts'
import { bareName, fileNameProblem } from '../uploads/file-name.rules.ts'
import { aboutFile, inspectUpload } from '../uploads/inspect-upload.ts'
import { keepFile } from '../uploads/keep-file.ts'
import { rowsAsFile, sentFile } from '../uploads/rows-as-file.ts'
import { useCase } from '../use-case.ts'
import { takeInPostcodes } from './import-postcodes.ts'
import { postcodeColumn } from './postcode-cell.rules.ts'
import {
  busyPostcodeStates,
  type PostcodeFileRow,
  type PostcodeFileView,
  postcodeFileView,
} from './postcode-file-row.ts'

/** Takes a file of good postcodes for a publication; the worker reads it. Throws `conflict` while another one is on its way. */
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
    const { path, bytes } = await keepFile(ctx, publication.publisherId, {
      chunks: input.chunks ?? rowsAsFile(input.csvdata),
      announcedBytes: input.announcedBytes,
    })
    try {
      const { header, lines } = await inspectUpload(ctx, path, fileName)
      if (!postcodeColumn(header))
        throw aboutFile(`"${fileName}" has no column of postcodes`, 'Name the column PostCode, as in the template.')
      return await ctx.db.transaction(async () => {
        const row = await begin(ctx, { publicationId: publication.id, fileName, storedFile: path, bytes, lines })
        await recordAudit(
          ctx,
          'import-postcodes',
          { type: 'publication', id: publication.id, publisherId: publication.publisherId },
          { bytes },
        )
        await ctx.jobs.enqueue(
          'import-postcodes',
          { fileId: Number(row.id) },
          { dedupeKey: `import-postcodes-${row.id}`, publisherId: publication.publisherId },
        )
        return postcodeFileView(row)
      })
    } catch (error) {
      await ctx.uploadFiles.remove(path)
      throw error
    }
  },
})

/** The same from a file of this machine, at once: for the command line. */
export const readPostcodes = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...whichPublication,
      file: z.string().min(1, 'Name the file'),
      fileName: z.string().min(1),
      onProgress: z.custom<(rows: number, total: number) => void>((value) => typeof value === 'function').optional(),
      signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
    })
    .refine(namesPublication, 'Name the publication'),
  transaction: 'none',
  async run(ctx, { file, fileName, onProgress, signal, ...which }): Promise<PostcodeFileView> {
    const { id: publicationId } = await ownPublication(ctx, publicationOf(which))
    const { bytes, lines } = await ctx.readerFiles.inspect(file)
    const row = await ctx.db.transaction(() => begin(ctx, { publicationId, fileName, storedFile: null, bytes, lines }))
    return takeInPostcodes(ctx, row, { path: file, onProgress, signal })
  },
})

interface Beginning {
  publicationId: number
  fileName: string
  storedFile: string | null
  bytes: number
  lines: number
}

async function begin(ctx: AppContext, { publicationId, lines, ...file }: Beginning): Promise<PostcodeFileRow> {
  if (ctx.db.dialect === 'postgres')
    await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId FOR UPDATE`, { publicationId })
  const [busy] = await ctx.db.query<{ file_name: string; started_at: Date | string }>(
    `SELECT file_name, started_at FROM postcode_files WHERE publication_id = :publicationId AND state IN ${busyPostcodeStates}`,
    { publicationId },
  )
  if (busy && !isLeft(ctx, busy))
    throw conflict(`The postcode file "${busy.file_name}" of this publication is being read`, {
      hint: 'Wait until it has ended, then upload the next one.',
    })
  if (busy)
    await ctx.db.run(
      `UPDATE postcode_files SET state = 'failed', problem = 'It was broken off' WHERE publication_id = :publicationId AND state IN ${busyPostcodeStates}`,
      { publicationId },
    )
  const [row] = await ctx.db.query<PostcodeFileRow>(
    `INSERT INTO postcode_files (publication_id, state, file_name, stored_file, bytes, total_rows, rejects, actor_kind, actor_id, started_at)
     VALUES (:publicationId, 'waiting', :fileName, :storedFile, :bytes, :totalRows, '[]', :actorKind, :actorId, :now) RETURNING *`,
    {
      publicationId,
      ...file,
      totalRows: Math.max(1, lines - 1),
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      now: ctx.now(),
    },
  )
  return row as PostcodeFileRow
}

/** After an hour a file is taken for dead: nobody takes up what the command line began, and the tries of an upload are used up by then. */
function isLeft(ctx: AppContext, { started_at }: { started_at: Date | string }) {
  return ctx.now().getTime() - new Date(started_at).getTime() > 3_600_000
}
