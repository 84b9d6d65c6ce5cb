import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readEnv } from './env.ts'
import { systemFailure } from './system-failure.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'masthead-refused-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

it('reports which operation the system refused, and on which path', () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const inFile = thrownBy(() => writeFileSync(join(file, 'x'), ''))
  expect(systemFailure(inFile)?.message).toBe(
    `Could not open ${join(file, 'x')}: a part of it is a file where a folder is needed`,
  )
  expect(systemFailure(thrownBy(() => mkdirSync(file, { recursive: true })))).toMatchObject({
    kind: 'invalid',
    message: `Could not create the folder ${file}: there is a file of that name`,
  })
  expect(systemFailure(thrownBy(() => mkdirSync(join(folder, 'no', 'x'))))).toMatchObject({ kind: 'denied' })
  expect(systemFailure(thrownBy(() => statSync(join(folder, 'no'))))).toBeUndefined()
})

it.runIf(process.platform === 'linux')('names the path of a full disk, which the system leaves out', () => {
  const full = thrownBy(() => writeFileSync('/dev/full', 'x'))
  expect(systemFailure(full, '/srv/data')).toMatchObject({
    kind: 'unavailable',
    message: 'The disk is full: could not write /srv/data',
  })
})

it('creates a new secret when a full disk left an empty file', () => {
  writeFileSync(join(folder, 'app-secret'), '')
  const env = { DATA_DIR: folder, SETTINGS_FILE: devNull }
  const { appSecret } = readEnv(env)
  expect(appSecret.length).toBeGreaterThan(32)
  expect(readEnv(env).appSecret).toBe(appSecret)
})

it.each([
  ['EROFS', 'denied', 'The disk is read-only: could not open /srv/data/x', /^mount it for writing/],
  ['ENOSPC', 'unavailable', 'The disk is full: could not open /srv/data/x', /^make room/],
  ['EDQUOT', 'unavailable', 'The disk is full: could not open /srv/data/x', /^make room/],
  ['ENAMETOOLONG', 'invalid', 'Could not open /srv/data/x: the name is too long', /^choose a shorter name/],
  ['EACCES', 'denied', 'This user may not open /srv/data/x', /ls -ld \/srv\/data\/x/],
])('reports %s in plain words and how to fix it', (code, kind, message, hint) => {
  const error = Object.assign(new Error(code), { code, syscall: 'open', path: '/srv/data/x' })
  expect(systemFailure(error)).toMatchObject({ kind, message, hint: expect.stringMatching(hint) })
})
