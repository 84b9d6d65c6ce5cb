const indexes = {
  readers_company: `(publication_id, key_company, id) WHERE key_company <> ''`,
}

/** Thousands of readers have the same company: with the id in the index a page of them is found without reading each. */
const listPageIndexes: Record<string, string> = Object.fromEntries(
  Object.entries(indexes).map(([name, on]) => [name, `readers ${on}`]),
)

/**
 * Indexes for the first pages of long lists. PostgreSQL reads from an index alone only for pages vacuumed since their last change: an
 * automatic fix of every tenth reader changes nearly every page, and by the server's default rule autovacuum would wait for twice as many.
 */
export const listPages = `
/* The largest groups of a list of duplicates, each with its keys and its size, once somebody has asked for them. */
ALTER TABLE reader_counts ADD COLUMN largest {json};
{postgres} ALTER TABLE readers SET (autovacuum_vacuum_scale_factor = 0.02);
DROP INDEX IF EXISTS readers_company;
CREATE INDEX readers_company ON ${listPageIndexes.readers_company};
`
