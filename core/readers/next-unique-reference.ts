import { randomInt } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { takeReferencesSql } from '../publications/publications.rows.ts'
import { referenceInitials, referenceRange, uniqueReference } from './unique-reference.rules.ts'

/** The next unused reference of a publication, in the caller's transaction. One that was entered manually before is skipped. */
export async function nextUniqueReference(ctx: Pick<AppContext, 'db'>, publicationId: number): Promise<string> {
  for (;;) {
    const [row] = await ctx.db.query<{ publication_name: string; references_made: number; reference_shift: number }>(
      takeReferencesSql,
      {
        publicationId,
        count: 1,
        shift: randomInt(1, referenceRange),
      },
    )
    if (!row) throw notFound('The publication')
    const reference = uniqueReference(
      referenceInitials(row.publication_name),
      row.references_made - 1,
      row.reference_shift,
    )
    const existing = await ctx.db.query(
      `SELECT 1 FROM readers WHERE publication_id = :publicationId AND unique_reference = :reference`,
      { publicationId, reference },
    )
    if (existing.length === 0) return reference
  }
}
