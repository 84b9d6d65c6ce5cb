const ofSequelize = /\/sequelize\/lib\/dialects\//

/** Marks the function itself: this module is loaded again for each file of a worker, but `Error` is not. */
const isOwn = Symbol.for('masthead.leaveStatementStacksUnmapped')

/**
 * Sequelize captures the stack of every statement that it runs, in case it fails. Vitest maps each line of it by source maps, which
 * took a tenth of the time of database tests: these stacks alone are left as Node writes them, with the lines of the compiled code instead of those
 * of the source. So is a stack that cannot be mapped: the failure would take the place of the error, or of a line of the log, and did once (a
 * stack overflow in the mapping, which a server under test answered with 500).
 */
export function skipStatementSourceMaps(): void {
  const mapped = Error.prepareStackTrace
  if (!mapped || isOwn in mapped) return
  const unmapped = (error: Error, lines: unknown[]) => [`${error.name}: ${error.message}`, ...lines].join('\n    at ')
  const prepare = (error: Error, sites: NodeJS.CallSite[]) => {
    if (ofSequelize.test(sites[0]?.getFileName() ?? '')) return unmapped(error, sites)
    try {
      return mapped(error, sites)
    } catch (problem) {
      return unmapped(error, [...sites, `(not mapped: ${problem})`])
    }
  }
  Error.prepareStackTrace = Object.assign(prepare, { [isOwn]: true })
}
