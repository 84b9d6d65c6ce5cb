const ofSequelize = /\/sequelize\/lib\/dialects\//

let isDone = false

/**
 * Sequelize captures the stack of every statement that it runs, in case it fails. Vitest maps each line of it by source maps, which
 * took a tenth of the time of database tests: these stacks alone stay as Node has them, with the lines of the compiled code instead of those
 * of the source.
 */
export function leaveStatementStacks(): void {
  const mapped = Error.prepareStackTrace
  if (isDone || !mapped) return
  isDone = true
  Error.prepareStackTrace = (error, sites) =>
    ofSequelize.test(sites[0]?.getFileName() ?? '')
      ? [`Error: ${error.message}`, ...sites].join('\n    at ')
      : mapped(error, sites)
}
