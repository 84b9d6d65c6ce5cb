const sequelizePath = /\/sequelize\/lib\/dialects\//

/** Marks the function itself: this module is loaded again for each file of a worker, but `Error` is not. */
const marker = Symbol.for('masthead.leaveStatementStacksUnmapped')

/**
 * Sequelize captures the stack of every statement that it runs, in case it fails. Vitest maps each line of it by source maps, which
 * takes a tenth of the time of database tests. Therefore these stacks alone are left as Node writes them, with the lines of the compiled code instead
 * of those of the source. A stack that cannot be mapped is left too: the failure of the mapping, such as a stack overflow, would replace the error itself.
 */
export function skipStatementSourceMaps(): void {
  const mapped = Error.prepareStackTrace
  if (!mapped || marker in mapped) return
  const unmapped = (error: Error, lines: unknown[]) => [`${error.name}: ${error.message}`, ...lines].join('\n    at ')
  const prepare = (error: Error, sites: NodeJS.CallSite[]) => {
    if (sequelizePath.test(sites[0]?.getFileName() ?? '')) return unmapped(error, sites)
    try {
      return mapped(error, sites)
    } catch (problem) {
      return unmapped(error, [...sites, `(not mapped: ${problem})`])
    }
  }
  Error.prepareStackTrace = Object.assign(prepare, { [marker]: true })
}
