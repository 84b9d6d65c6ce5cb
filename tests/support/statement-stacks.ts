const ofSequelize = /\/sequelize\/lib\/dialects\/|\/sequelize-pool\/lib\//

/** Marks the function itself: this module is loaded again for each file of a worker, but `Error` is not. */
const isOwn = Symbol.for('masthead.leaveStatementStacksUnmapped')

/**
 * Sequelize captures the stack of every statement that it runs, in case it fails. Vitest maps each line of it by source maps, which
 * took a tenth of the time of database tests: these stacks alone are left as Node writes them, with the lines of the compiled code instead of those
 * of the source. So are those that its pool captures for a message nobody reads, when a lost connection is released twice: mapping one has failed with
 * a stack overflow, which the server answered with 500.
 */
export function skipStatementSourceMaps(): void {
  const mapped = Error.prepareStackTrace
  if (!mapped || isOwn in mapped) return
  const prepare = (error: Error, sites: NodeJS.CallSite[]) =>
    ofSequelize.test(sites[0]?.getFileName() ?? '')
      ? [`Error: ${error.message}`, ...sites].join('\n    at ')
      : mapped(error, sites)
  Error.prepareStackTrace = Object.assign(prepare, { [isOwn]: true })
}
