import { randomInt } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { referenceInitials, referenceRange, uniqueReference } from './unique-reference.rules.ts'

/** The next unused reference of a publication, in the caller's transaction. One somebody typed by hand before is stepped over. */
export async function nextUniqueReference(ctx: Pick<AppContext, 'db'>, publicationId: number): Promise<string> {
  for (;;) {
    const [row] = await ctx.db.query<{ publication_name: string; references_made: number; reference_shift: number }>(
      takeReferences,
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
    const taken = await ctx.db.query(
      `SELECT 1 FROM readers WHERE publication_id = :publicationId AND unique_reference = :reference`,
      { publicationId, reference },
    )
    if (taken.length === 0) return reference
  }
}

/** Takes `:count` numbers; the first one ever also fixes the publication's shift. */
export const takeReferences = `
UPDATE publications SET
  reference_shift = CASE WHEN references_made = 0 AND reference_shift = 0 THEN :shift ELSE reference_shift END,
  references_made = references_made + :count
WHERE id = :publicationId
RETURNING publication_name, references_made, reference_shift`
