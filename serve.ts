import { fileURLToPath } from 'node:url'
import { makeLog } from '#core/platform/log.ts'
import { readSettings } from '#core/platform/settings-files.ts'
import { isRole, type Role, roles, supervise } from '#core/platform/supervise.ts'

// The parent: it holds no connection and no code of the product, so that it outlives a crash of the running product.
const role = process.argv[2] ?? 'all'
if (isRole(role)) {
  setProcessEnv(role)
  process.exitCode = await supervise({
    program: fileURLToPath(new URL('./serve-role.js', import.meta.url)),
    role,
    log: makeLog(process.env.LOG_LEVEL || 'info'),
  })
} else {
  process.stderr.write(`error: "${role}" is not a role\nfix: use one of ${roles.join(', ')}\n`)
  process.exitCode = 2
}

/** Sets the environment variables that React and the log read before the program knows its settings. */
function setProcessEnv(role: Role): void {
  const nodeEnv = role === 'all' ? 'development' : undefined
  try {
    const { NODE_ENV = nodeEnv, LOG_LEVEL } = readSettings().values
    Object.assign(process.env, NODE_ENV && { NODE_ENV }, LOG_LEVEL && { LOG_LEVEL })
  } catch {
    // The child reads the same files, and reports the problem.
  }
}
