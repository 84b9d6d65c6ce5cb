import { AppError, type ErrorKind } from '#core/kernel/errors.ts'

interface SystemError extends Error {
  code?: string
  syscall?: string
  path?: string
  dest?: string
}

const acts: Record<string, string> = {
  open: 'open',
  mkdir: 'make',
  scandir: 'list',
  rename: 'rename',
  unlink: 'remove',
  rm: 'remove',
  rmdir: 'remove',
  write: 'write',
  fsync: 'write',
  access: 'use',
}

interface Wording {
  kind: ErrorKind
  what(act: string, path: string): string
  hint(path: string): string
}

const noRight: Wording = {
  kind: 'denied',
  what: (act, path) => `This user may not ${act} ${path}`,
  hint: (path) => `give the user that runs this the right (ls -ld ${path} shows who has it), or name another place`,
}

const noRoom: Wording = {
  kind: 'unavailable',
  what: (act, path) => `The disk is full: could not ${act} ${path}`,
  hint: () => 'make room (df -h shows where), then run the same again',
}

/** On a read-only disk, Node reports a folder and its parents as missing. */
const notMade: Wording = {
  kind: 'denied',
  what: (_, path) => `Could not make ${path}: its disk is read-only, or what is above it is not there`,
  hint: () => 'mount the disk for writing, or name another place (DATA_DIR, --output)',
}

const wordings: Readonly<Record<string, Wording | undefined>> = {
  EACCES: noRight,
  EPERM: noRight,
  EROFS: {
    kind: 'denied',
    what: (act, path) => `The disk is read-only: could not ${act} ${path}`,
    hint: () => 'mount it for writing, or name another place (DATA_DIR, --output)',
  },
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  ENOTDIR: {
    kind: 'invalid',
    what: (act, path) => `Could not ${act} ${path}: a part of it is a file where a folder is needed`,
    hint: () => 'correct the name, or move the file away',
  },
}

/** What the system refused, where, and how to fix it; undefined for an error of another kind. `at` is the place if the error names none. */
export function systemFailure(error: unknown, at?: string): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall = '', path, dest } = error as SystemError
  const wording = syscall === 'mkdir' && code === 'ENOENT' ? notMade : wordings[code]
  const place = dest ?? path ?? at
  if (!wording || place === undefined) return undefined
  return new AppError(wording.kind, wording.what(acts[syscall] ?? 'use', place), {
    hint: wording.hint(place),
    cause: error,
  })
}
