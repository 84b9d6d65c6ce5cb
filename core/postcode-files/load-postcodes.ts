import type { AppContext } from '../context.ts'
import { AppError } from '../kernel/errors.ts'
import type { InspectedFile } from '../reader-files/reader-file-store.ts'
import { postcodeColumn, postcodeKey } from './postcode-cell.rules.ts'
import type { PostcodeReject } from './postcode-file-row.ts'

export interface LoadedPostcodes {
  rows: number
  failed: number
  rejects: PostcodeReject[]
}

interface Load {
  fileId: number
  path: string
  fileName: string
  onProgress?: ((rows: number, total: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Codes of one statement and of one transaction. */
const atOnce = 10_000
const keptRejects = 100

/**
 * Writes the postcodes of a file beside those that are in use. Nobody sees them yet. A file may be read again from its beginning: what is
 * there is there. Throws `invalid` for a file without a column of postcodes, or without a single good one.
 */
export async function loadPostcodes(
  ctx: AppContext,
  { fileId, path, fileName, onProgress, signal }: Load,
): Promise<LoadedPostcodes> {
  const file = await ctx.readerFiles.inspect(path)
  const column = postcodeColumn(file.header)
  if (!column)
    throw new AppError('invalid', `"${fileName}" has no column of postcodes`, {
      hint: 'Name the column PostCode, as in the template, or leave the other columns out.',
    })
  const loaded: LoadedPostcodes = { rows: 0, failed: 0, rejects: [] }
  let codes: string[] = []
  const write = async () => {
    if (codes.length > 0) await insert(ctx, fileId, codes)
    codes = []
    onProgress?.(loaded.rows, Math.max(loaded.rows, file.lines))
  }
  for await (const { line, cells } of rowsOf(ctx, file, column.isHeaderless)) {
    loaded.rows++
    const value = (cells[column.index] ?? '').trim()
    const code = postcodeKey(value)
    if (code !== null) codes.push(code)
    else {
      loaded.failed++
      if (loaded.rejects.length < keptRejects)
        loaded.rejects.push({
          line,
          value: value.slice(0, 80),
          reason: value === '' ? 'is empty' : 'is not a postcode',
        })
    }
    if (codes.length < atOnce) continue
    await write()
    signal?.throwIfAborted()
  }
  await write()
  if (loaded.rows === loaded.failed)
    throw new AppError('invalid', `"${fileName}" holds no postcode`, {
      hint: 'Give one postcode a line, such as SW1A 1AA, under the heading PostCode.',
    })
  return loaded
}

async function* rowsOf(ctx: AppContext, file: InspectedFile, isHeaderless: boolean) {
  if (isHeaderless) yield { line: 1, cells: file.header }
  for await (const batch of ctx.uploadFiles.records(file)) yield* batch
}

/** One parameter for all: a list of ten thousand would take longer to read than to write. */
function insert({ db }: AppContext, fileId: number, codes: readonly string[]): Promise<number> {
  const list =
    db.dialect === 'postgres'
      ? { from: `unnest(string_to_array(:codes, ',')) AS value`, codes: codes.join(',') }
      : { from: `json_each(:codes)`, codes: JSON.stringify(codes) }
  return db.transaction(() =>
    db.run(
      `INSERT INTO postcodes (file_id, post_code) SELECT CAST(:fileId AS ${db.dialect === 'postgres' ? 'BIGINT' : 'INTEGER'}), value
       FROM ${list.from} WHERE true ON CONFLICT DO NOTHING`,
      { fileId, codes: list.codes },
    ),
  )
}
