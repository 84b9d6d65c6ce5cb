const indexes = {
  readers_company: `(publication_id, key_company, id) WHERE key_company <> ''`,
}

/** Thousands have the same company: with the id behind it a page of them is found without looking at each. */
const listPageIndexes: Record<string, string> = Object.fromEntries(
  Object.entries(indexes).map(([name, on]) => [name, `readers ${on}`]),
)

/**
 * What the first pages of long lists need. On PostgreSQL an index alone answers only for pages that were vacuumed since they changed: an
 * automatic fix of every tenth reader touches nearly every page, and would wait for twice as many by the server's own rule.
 */
export const listPages = `
/* The largest groups of a list of duplicates, each with its keys and its size, once somebody has asked for them. */
ALTER TABLE reader_counts ADD COLUMN largest {json};
{postgres} ALTER TABLE readers SET (autovacuum_vacuum_scale_factor = 0.02);
DROP INDEX IF EXISTS readers_company;
CREATE INDEX readers_company ON ${listPageIndexes.readers_company};
`
