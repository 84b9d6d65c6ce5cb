import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Processes } from '#core/ports/processes.ts'

/**
 * Names processes by machine and number; a process number is reused, in a container immediately, so each start adds a unique suffix and, where the
 * system tells it, when the process started.
 */
const self = [hostname(), process.pid, randomBytes(6).toString('hex'), startOf(process.pid)].filter(Boolean).join(' ')

export const processes: Processes = {
  self,
  host: hostname(),
  hasEnded(name) {
    const [host, pid, , start] = name.split(' ')
    if (name === self || host !== hostname() || !pid) return false
    if (Number(pid) === process.pid) return true
    try {
      process.kill(Number(pid), 0)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
    }
    // A process of this number runs. Names of earlier releases do not say when theirs started.
    const running = start === undefined ? null : startOf(Number(pid))
    return running !== null && running !== start
  },
}

/** When a process started: the boot of the machine and the clock ticks since then. Null where the system has no `/proc`, or hides the process. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in brackets, may itself contain brackets and spaces. The 22nd field is the start.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
    return ticks === undefined ? null : `${boot}-${ticks}`
  } catch {
    return null
  }
}
