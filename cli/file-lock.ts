import { open, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { processes } from '#core/platform/processes.ts'
import { CliError } from './cli-error.ts'

/**
 * Locks a file or directory while it is written, so that two scheduled runs never write the same one. The lock of a dead process is taken
 * over, even if its number was reused; a lock of another machine is respected. `work` writes to `partial`, which is first cleared of what a killed run left.
 */
export async function withFileLock<Done>(path: string, work: (partial: string) => Promise<Done>): Promise<Done> {
  const lock = join(dirname(path), `.${basename(path)}.lock`)
  const partial = join(dirname(path), `.${basename(path)}.partial`)
  await acquire(lock, path)
  try {
    await rm(partial, { recursive: true, force: true })
    return await work(partial)
  } finally {
    await rm(partial, { recursive: true, force: true })
    await rm(lock, { force: true })
  }
}

async function acquire(lock: string, path: string, isSecondTry = false): Promise<void> {
  try {
    const file = await open(lock, 'wx')
    try {
      await file.writeFile(processes.own)
    } catch (error) {
      // A full disk has room for an empty file: it would look like the lock of a run that is just beginning.
      await rm(lock, { force: true })
      throw error
    } finally {
      await file.close()
    }
  } catch (error) {
    // The error names the file, not its lock.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw Object.assign(error as Error, { path })
    // A lock that this user may not read belongs to somebody else.
    const owner = await readFile(lock, 'utf8').catch(() => 'unknown')
    if (isSecondTry || !(owner === '' ? await isAbandoned(lock) : hasExited(owner)))
      throw new CliError(
        'busy',
        'conflict',
        `${path} is being written by another run${owner && owner !== 'unknown' ? ` (process ${nameOf(owner)})` : ''}`,
        `wait until it has finished; if there is no such run, remove ${lock}`,
      )
    await rm(lock, { force: true })
    await acquire(lock, path, true)
  }
}

/** Whether an empty lock is older than the moment between its creation and the writing of its owner. */
async function isAbandoned(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > 60_000
}

/** A bare number was written by an earlier release, on this machine. */
function hasExited(owner: string): boolean {
  return processes.hasEnded(/^\d+$/.test(owner) ? `${processes.host} ${owner}` : owner)
}

function nameOf(owner: string): string {
  const [host, pid] = owner.split(' ')
  return pid === undefined || host === processes.host ? (pid ?? owner) : `${pid} on ${host}`
}
