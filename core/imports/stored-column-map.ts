import { createHash } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { unguard } from '../kernel/formula-guard.rules.ts'
import type { Mapping } from './guess-mapping.rules.ts'
import { rejectColumns } from './map-header.rules.ts'
import { storeMapping, UploadMappings } from './upload-mappings.rows.ts'

/**
 * The names of a file's columns in any order, without regard to case and spaces around them. A corrected file of rejected rows has the key of its
 * original file: the added columns do not count.
 */
function headerKey(header: readonly string[]): string {
  const names = header
    .map(normalise)
    .filter((name) => !rejectNames.has(name))
    .sort()
  return createHash('sha256').update(JSON.stringify(names)).digest('hex')
}

/** In a file of rejected rows the column names have formula guards. */
const normalise = (name: string) => unguard(name.trim()).toLowerCase()
const rejectNames = new Set(rejectColumns.map(normalise))

/** How the columns of a file with these names were mapped the last time; null when there was no such file. */
export async function findStoredColumnMap(
  ctx: AppContext,
  publicationId: number,
  header: readonly string[],
): Promise<Mapping | null> {
  const row = await UploadMappings.find(ctx, { publicationId, headerKey: headerKey(header) })
  if (!row) return null
  const pairs = row.mapping
  return header.map((name) => {
    const index = pairs.findIndex(([storedName]) => storedName === normalise(name))
    return index < 0 ? '' : (pairs.splice(index, 1)[0]?.[1] ?? '')
  })
}

/** Stores the mapping of the columns for the next file with the same columns, in the running transaction. */
export async function storeColumnMap(
  ctx: AppContext,
  { publicationId, header, mapping }: { publicationId: number; header: readonly string[]; mapping: Mapping },
): Promise<void> {
  const pairs = header.map((name, index): [string, string] => [normalise(name), mapping[index] ?? ''])
  await storeMapping(ctx, { publicationId, headerKey: headerKey(header), mapping: pairs })
}
