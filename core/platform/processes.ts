import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Processes } from '#core/ports/processes.ts'

/** Names processes by machine and number; a process number is reused, in a container immediately, so each start adds a unique suffix. */
const own = `${hostname()} ${process.pid} ${randomBytes(6).toString('hex')}`

export const processes: Processes = {
  own,
  host: hostname(),
  hasEnded(name) {
    const [host, pid] = name.split(' ')
    if (name === own || host !== hostname() || !pid) return false
    if (Number(pid) === process.pid) return true
    try {
      process.kill(Number(pid), 0)
      return false
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ESRCH'
    }
  },
}
