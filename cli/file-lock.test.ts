import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { deferred } from '#tests/support/deferred.ts'
import { CliError } from './cli-error.ts'
import { withFileLock } from './file-lock.ts'

let cwd: string
let path: string
let lock: string
let takeover: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'masthead-lock-'))
  path = join(cwd, 'post.csv')
  lock = join(cwd, '.post.csv.lock')
  takeover = `${lock}.takeover`
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const leaveDeadLock = () => writeFileSync(lock, `${hostname()} 4194399 a`)

/**
 * Starts this many runs, each one file operation later than the one before. They work until all have begun or been refused. Returns how
 * many began.
 */
async function startTogether(runs: number): Promise<number> {
  let begun = 0
  let attempts = 0
  const allHaveTried = deferred()
  const countAttempt = () => {
    if (++attempts === runs) allHaveTried.resolve()
  }
  const work = async () => {
    begun++
    countAttempt()
    await allHaveTried.promise
  }
  const run = async (_: unknown, delaySteps: number) => {
    for (let step = 0; step < delaySteps; step++) await stat(cwd)
    await withFileLock(path, work).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error
      countAttempt()
    })
  }
  await Promise.all(Array.from({ length: runs }, run))
  return begun
}

it('the lock of a dead process is taken over by exactly one of the runs that find it', async () => {
  for (let round = 0; round < 20; round++) {
    leaveDeadLock()
    expect(await startTogether(12)).toBe(1)
    expect(readdirSync(cwd)).toEqual([])
  }
})

it('an empty lock that was abandoned is taken over by exactly one of the runs that find it', async () => {
  writeFileSync(lock, '')
  utimesSync(lock, new Date(0), new Date(0))
  expect(await startTogether(12)).toBe(1)
  expect(readdirSync(cwd)).toEqual([])
})

it('a run that was killed while taking over a lock blocks the others only briefly', async () => {
  leaveDeadLock()
  writeFileSync(takeover, '')
  expect(await startTogether(1)).toBe(0)
  expect(existsSync(takeover)).toBe(true)
  utimesSync(takeover, new Date(0), new Date(0))
  // This run removes the abandoned takeover file, so that the next one can take over the lock.
  expect(await startTogether(1)).toBe(0)
  expect(await startTogether(1)).toBe(1)
  expect(readdirSync(cwd)).toEqual([])
})

it('a directory that takes no files is a plain error that names the file', async () => {
  const missing = join(cwd, 'away', 'post.csv')
  const refused = withFileLock(missing, async () => {})
  await expect(refused).rejects.toBeInstanceOf(CliError)
  await expect(refused).rejects.toMatchObject({
    message: expect.stringContaining(`Could not create ${missing}`),
    exit: 4,
  })
})

it('a run whose lock was removed leaves the files of the next one', async () => {
  await withFileLock(path, async (partial) => {
    writeFileSync(lock, 'elsewhere 4194399 a')
    writeFileSync(partial, 'half of it')
  })
  expect(readdirSync(cwd).toSorted()).toEqual(['.post.csv.lock', '.post.csv.partial'])
})
