import { open, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { processes } from '#core/platform/processes.ts'
import { CliError } from './cli-error.ts'

/**
 * Locks a file or directory while it is written, so that two scheduled runs never write it at the same time. The lock of a dead process is
 * taken over, even if its process id was reused; the lock of another machine is respected. `work` writes to `partial`, which is deleted first
 * if a killed run left it behind. Both are in `folder`, by default beside the path.
 */
export async function withFileLock<Done>(
  path: string,
  work: (partial: string) => Promise<Done>,
  folder = dirname(path),
): Promise<Done> {
  const lock = join(folder, `.${basename(path)}.lock`)
  const partial = join(folder, `.${basename(path)}.partial`)
  await acquire(lock, path)
  try {
    await rm(partial, { recursive: true, force: true })
    return await work(partial)
  } finally {
    // If somebody deleted the lock by hand, the lock and the partial file now belong to the next run.
    if ((await ownerOf(lock)) === processes.self) {
      await rm(partial, { recursive: true, force: true })
      await rm(lock, { force: true })
    }
  }
}

async function acquire(lock: string, path: string): Promise<void> {
  try {
    if ((await create(lock)) || ((await isDead(lock)) && (await takeOver(lock)))) return
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new CliError(
        'notFound',
        'missing',
        `Could not create ${path}: its directory takes no files, or no longer exists`,
        'name a file in another directory',
      )
    // Report the path of the file, not of the lock.
    throw Object.assign(error as Error, { path })
  }
  const owner = await ownerOf(lock)
  throw new CliError(
    'busy',
    'conflict',
    `${path} is being written by another run${owner ? ` (process ${nameOf(owner)})` : ''}`,
    `wait until it has finished; if there is no such run, remove ${lock}`,
  )
}

/** Creates a lock that names this process. False if there is one. */
async function create(lock: string): Promise<boolean> {
  const file = await open(lock, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (!file) return false
  try {
    await file.writeFile(processes.self)
  } catch (error) {
    // A full disk has room for an empty file: it would look like the lock of a run that is just beginning.
    await rm(lock, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return true
}

/**
 * Replaces the lock of a dead process. Only one run at a time does this, and it reads the lock again first: another run may have replaced it
 * already and must not lose its new lock. False if another run was faster.
 */
async function takeOver(lock: string): Promise<boolean> {
  const takeover = `${lock}.takeover`
  if (!(await create(takeover))) {
    // Left by a run that was killed within these few lines: the next attempt succeeds.
    if (await isAbandoned(takeover)) await rm(takeover, { force: true })
    return false
  }
  try {
    if (!(await isDead(lock))) return false
    await rm(lock, { force: true })
    return await create(lock)
  } finally {
    await rm(takeover, { force: true })
  }
}

/** Null for a lock that does not exist or that this user may not read: it belongs to somebody else. */
function ownerOf(lock: string): Promise<string | null> {
  return readFile(lock, 'utf8').catch(() => null)
}

async function isDead(lock: string): Promise<boolean> {
  const owner = await ownerOf(lock)
  return owner !== null && (owner === '' ? await isAbandoned(lock) : hasExited(owner))
}

/** Whether a file that should exist only for a moment, such as a lock without an owner, is more than a minute old. */
async function isAbandoned(lock: string): Promise<boolean> {
  const stats = await stat(lock).catch(() => undefined)
  return stats !== undefined && Date.now() - stats.mtimeMs > 60_000
}

/** A bare number was written by an earlier release, on this machine. */
function hasExited(owner: string): boolean {
  return processes.hasEnded(/^\d+$/.test(owner) ? `${processes.host} ${owner}` : owner)
}

function nameOf(owner: string): string {
  const [host, pid] = owner.split(' ')
  return pid === undefined || host === processes.host ? (pid ?? owner) : `${pid} on ${host}`
}
