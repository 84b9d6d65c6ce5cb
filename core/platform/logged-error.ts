import pino from 'pino'

/** Properties of a database error that quote the failed statement or a line of a file: both contain names and addresses. */
const statementProperties = new Set(['sql', 'parameters', 'parent', 'original', 'where'])
/** Further such properties, but only of Sequelize's errors: elsewhere the names mean something else. */
const sequelizeProperties = new Set(['fields', 'errors'])
const postgresProperties = new Set(['detail', 'internalQuery'])

/** An error for the log: what failed and where, with all its causes, without personal data. */
export function loggedError(error: unknown): unknown {
  return error instanceof Error ? withoutData(pino.stdSerializers.err(error)) : error
}

function withoutData(error: object): object {
  const isOfSequelize = 'name' in error && String(error.name).startsWith('Sequelize')
  const isOfPostgres = 'severity' in error
  const loggable = Object.entries(error).filter(
    ([name]) =>
      !statementProperties.has(name) &&
      !(isOfSequelize && sequelizeProperties.has(name)) &&
      !(isOfPostgres && postgresProperties.has(name)),
  )
  return Object.fromEntries(loggable.map(([name, value]) => [name, isError(value) ? withoutData(value) : value]))
}

/** Nested errors are already plain objects. */
function isError(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'stack' in value
}
