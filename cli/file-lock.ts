import { open, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CliError } from './cli-error.ts'

/**
 * Holds a file or directory that is about to be written, so that two runs of a timetable never write the same one. A lock whose process
 * is gone is taken over.
 */
export async function withFileLock<Done>(path: string, work: () => Promise<Done>): Promise<Done> {
  const lock = join(dirname(path), `.${basename(path)}.lock`)
  await take(lock, path)
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function take(lock: string, path: string, isSecondTry = false): Promise<void> {
  try {
    const file = await open(lock, 'wx')
    await file.writeFile(String(process.pid))
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const owner = Number(await readFile(lock, 'utf8').catch(() => ''))
    if (isSecondTry || isAlive(owner))
      throw new CliError(
        'busy',
        'conflict',
        `${path} is being written by another run${owner ? ` (process ${owner})` : ''}`,
        `wait until it has ended; if there is none, remove ${lock}`,
      )
    await rm(lock, { force: true })
    await take(lock, path, true)
  }
}

function isAlive(pid: number): boolean {
  // A lock without a number has just been made.
  if (!pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
