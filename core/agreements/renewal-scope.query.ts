/** Which renewals: of one title, of one publisher, or all. */
export interface RenewalScope {
  publicationId?: number | undefined
  publisherId?: number | undefined
}

/** SQL that narrows a statement to a title or a publisher, by the names of its columns; empty for all. */
export function narrowedTo(
  scope: RenewalScope,
  columns: Record<'publicationId' | 'publisherId', string>,
): { sql: string; values: Record<string, number> } {
  const narrow = (['publicationId', 'publisherId'] as const).flatMap((name) => {
    const value = scope[name]
    return value === undefined ? [] : [{ name, value, sql: ` AND ${columns[name]} = :${name}` }]
  })
  return {
    sql: narrow.map(({ sql }) => sql).join(''),
    values: Object.fromEntries(narrow.map(({ name, value }) => [name, value])),
  }
}

/** The columns of `renewals` itself. */
export const ownColumns = { publicationId: 'publication_id', publisherId: 'publisher_id' }
