import { fileURLToPath } from 'node:url'
import { makeLog } from '#core/platform/log.ts'
import { isRole, roles, supervise } from '#core/platform/supervise.ts'

// The parent: it holds no connection and no code of the product, so that nothing but a signal ends it.
const role = process.argv[2] ?? 'all'
if (isRole(role)) {
  process.exitCode = await supervise({
    program: fileURLToPath(new URL('./serve-role.js', import.meta.url)),
    role,
    log: makeLog(process.env.LOG_LEVEL || 'info'),
  })
} else {
  process.stderr.write(`error: "${role}" is not a role\nfix: use one of ${roles.join(', ')}\n`)
  process.exitCode = 2
}
