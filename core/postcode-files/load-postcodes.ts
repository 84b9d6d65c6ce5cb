import type { AppContext } from '../context.ts'
import { type FileFormat, inspectFile } from '../imports/load/inspect-file.ts'
import { AppError } from '../kernel/errors.ts'
import { cutText } from '../kernel/text-format.ts'
import type { PostcodeLoad } from '../ports/postcode-load.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import { postcodeColumn, postcodeKey } from '../postcodes/postcode-cell.rules.ts'
import type { PostcodeReject } from './postcode-files.rows.ts'

export interface LoadedPostcodes {
  rows: number
  failed: number
  rejects: PostcodeReject[]
}

/** A single postcode is a valid file: it needs no header. */
export const postcodeFormat: FileFormat = { isRow: (cells) => postcodeColumn(cells)?.isHeaderless === true }

interface Load {
  path: string
  fileName: string
  /** The load that the codes are written to. */
  openLoad: () => Promise<PostcodeLoad>
  onProgress?: ((rows: number, total: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** The number of codes written together. */
const batchSize = 10_000
const maxStoredRejects = 100

/**
 * Reads the postcodes of a file into a load. A file may be read again from its beginning: no code is stored twice. Throws `invalid` for a
 * file without a column of postcodes, or without a single valid one.
 */
export async function loadPostcodes(
  ctx: AppContext,
  { path, fileName, openLoad, onProgress, signal }: Load,
): Promise<LoadedPostcodes> {
  const file = await inspectFile(path, postcodeFormat)
  const column = postcodeColumn(file.header)
  if (!column)
    throw new AppError('invalid', `"${fileName}" has no postcode column`, {
      hint: 'Name the column PostCode, as in the template, or leave the other columns out.',
    })
  const load = await openLoad()
  try {
    const loaded = await loadRows(ctx, load, file, { column, onProgress, signal })
    if (loaded.rows === loaded.failed)
      throw new AppError('invalid', `"${fileName}" contains no postcodes`, {
        hint: 'Put one postcode on each line, such as SW1A 1AA, under the heading PostCode.',
      })
    await load.finish()
    return loaded
  } finally {
    await load.close()
  }
}

interface RowOptions extends Pick<Load, 'onProgress' | 'signal'> {
  column: { index: number; isHeaderless: boolean }
}

async function loadRows(
  ctx: AppContext,
  load: PostcodeLoad,
  file: InspectedFile,
  { column, onProgress, signal }: RowOptions,
): Promise<LoadedPostcodes> {
  const loaded: LoadedPostcodes = { rows: 0, failed: 0, rejects: [] }
  let codes: string[] = []
  const write = async (total = Math.max(loaded.rows, file.lines)) => {
    if (codes.length > 0) await load.add(codes)
    codes = []
    onProgress?.(loaded.rows, total)
  }
  for await (const batch of rowsOf(ctx, file, column.isHeaderless)) {
    for (const { line, cells } of batch) {
      loaded.rows++
      const value = (cells[column.index] ?? '').trim()
      const code = postcodeKey(value)
      if (code !== null) codes.push(code)
      else {
        loaded.failed++
        if (loaded.rejects.length < maxStoredRejects)
          loaded.rejects.push({
            line,
            value: cutText(value, 80),
            reason: value === '' ? 'is empty' : 'is not a postcode',
          })
      }
      if (codes.length >= batchSize) await write()
    }
    // Checked for each batch, not only after a write: a file may contain no codes.
    signal?.throwIfAborted()
  }
  // The lines include the header and blank lines, so the number of rows is known only now.
  await write(loaded.rows)
  return loaded
}

async function* rowsOf(ctx: AppContext, file: InspectedFile, isHeaderless: boolean) {
  if (isHeaderless) yield [{ line: 1, cells: file.header }]
  yield* ctx.uploadFiles.records(file)
}
