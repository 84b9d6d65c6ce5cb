import { createHash } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { unguard } from '../kernel/formula-guard.rules.ts'
import type { Mapping } from './guess-mapping.rules.ts'
import { rejectColumns } from './map-header.rules.ts'

/**
 * The names of a file's columns in any order, without regard to case and spaces around them. Rejected rows that come back mended are the
 * file they came from: what was put beside them does not count.
 */
function headerKey(header: readonly string[]): string {
  const names = header
    .map(plain)
    .filter((name) => !notes.has(name))
    .sort()
  return createHash('sha256').update(JSON.stringify(names)).digest('hex')
}

/** Rejected rows come back with guarded names. */
const plain = (name: string) => unguard(name.trim()).toLowerCase()
const notes = new Set(rejectColumns.map(plain))

/** What the columns of such a file were imported as the last time; null when there was none. */
export async function keptMapping(
  ctx: AppContext,
  publicationId: number,
  header: readonly string[],
): Promise<Mapping | null> {
  const [row] = await ctx.db.query<{ mapping: string | [string, string][] }>(
    `SELECT mapping FROM upload_mappings WHERE publication_id = :publicationId AND header_key = :key`,
    { publicationId, key: headerKey(header) },
  )
  if (!row) return null
  const pairs: [string, string][] = typeof row.mapping === 'string' ? JSON.parse(row.mapping) : row.mapping
  return header.map((name) => {
    const at = pairs.findIndex(([kept]) => kept === plain(name))
    return at < 0 ? '' : (pairs.splice(at, 1)[0]?.[1] ?? '')
  })
}

/** Keeps what the columns were imported as, for the next file with the same ones. In the running transaction. */
export async function keepMapping(
  ctx: AppContext,
  { publicationId, header, mapping }: { publicationId: number; header: readonly string[]; mapping: Mapping },
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO upload_mappings (publication_id, header_key, mapping, used_at) VALUES (:publicationId, :key, :mapping, :now)
     ON CONFLICT (publication_id, header_key) DO UPDATE SET mapping = excluded.mapping, used_at = excluded.used_at`,
    {
      publicationId,
      key: headerKey(header),
      mapping: JSON.stringify(header.map((name, index) => [plain(name), mapping[index] ?? ''])),
      now: ctx.now(),
    },
  )
}
