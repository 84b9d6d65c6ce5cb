import { hostname } from 'node:os'

/** Who we are, for the lock of an upload. */
export function runOwner(): string {
  return `${hostname()} ${process.pid}`
}

/** True while the process that held an upload's lock is gone. Only one of this machine can be asked for; any other is believed until its lock runs out. */
export function isOwnerGone(owner: string): boolean {
  const [host, pid] = owner.split(' ')
  if (host !== hostname() || !pid) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
