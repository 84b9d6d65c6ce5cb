import type { Sequelize, Transaction } from 'sequelize'

/** The tables that storefronts are read from. A test compares them with what the pages really query. */
export const storefrontTables = ['publications', 'publication_prices', 'back_issues', 'accounts', 'users'] as const

const change = new RegExp(
  `\\b(?:INSERT\\s+INTO|UPDATE|DELETE\\s+FROM)\\s+["\`]?(?:${storefrontTables.join('|')})\\b`,
  'i',
)
/** The first characters of a statement, which contain its table; the rest is values. */
const headLength = 2_000

type Outer = Transaction & { parent?: Transaction }

/**
 * Counts the commits of this process that touched what storefronts show. It inspects the statements themselves, so that no
 * use case can forget to count.
 */
export function watchStorefronts(sequelize: Sequelize): {
  version(): number
  /** Inspects a statement that bypassed Sequelize. */
  note(sql: string, transaction: Transaction | null | undefined): void
} {
  let version = 0
  const counted = new WeakSet<Transaction>()
  function note(sql: string, transaction: Transaction | null | undefined): void {
    if (!change.test(sql.slice(0, headLength))) return
    let outer = transaction as Outer | null | undefined
    while (outer?.parent) outer = outer.parent as Outer
    if (!outer) version++
    else if (!counted.has(outer)) {
      counted.add(outer)
      outer.afterCommit(() => {
        version++
      })
    }
  }
  sequelize.addHook('afterQuery', ({ transaction }, query) => note((query as { sql?: string }).sql ?? '', transaction))
  return { version: () => version, note }
}
