const ofSequelize = /\/sequelize\/lib\/dialects\//

let isDone = false

/**
 * Sequelize asks for the stack of every statement that it runs, in case it fails. Vitest looks up each line of it in the source maps, which
 * was a tenth of what the tests of a database cost: these stacks alone stay as Node has them, with the lines of what runs in place of those
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
