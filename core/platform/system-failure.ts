import { AppError, type ErrorKind } from '#core/kernel/errors.ts'
import { shortened } from '#core/kernel/text-format.ts'

interface SystemError extends Error {
  code?: string
  syscall?: string
  path?: string
  dest?: string
}

const verbs: Record<string, string> = {
  open: 'open',
  mkdir: 'create',
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
  what(verb: string, path: string): string
  hint(path: string): string
}

const noPermission: Wording = {
  kind: 'denied',
  what: (verb, path) => `This user may not ${verb} ${path}`,
  hint: (path) =>
    `give the user that runs Masthead permission (ls -ld ${path} shows who has it), or name another place`,
}

const diskFull: Wording = {
  kind: 'unavailable',
  what: (verb, path) => `The disk is full: could not ${verb} ${path}`,
  hint: () => 'make room (df -h shows where), then run the same command again',
}

/** On a read-only disk, Node reports a folder and its parents as missing. */
const notCreated: Wording = {
  kind: 'denied',
  what: (_, path) => `Could not create ${path}: its disk is read-only, or the folder above it does not exist`,
  hint: () => 'mount the disk for writing, or name another place (DATA_DIR, --output)',
}

const fileInTheWay: Wording = {
  kind: 'invalid',
  what: (_, path) => `Could not create the folder ${path}: there is a file of that name`,
  hint: () => 'correct the name (DATA_DIR, --output), or move the file away',
}

const currentDirectoryGone: Wording = {
  kind: 'notFound',
  what: () => 'The current directory no longer exists',
  hint: () => 'change to one that exists (cd), then run the same command again',
}

const wordings: Readonly<Record<string, Wording | undefined>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: {
    kind: 'denied',
    what: (verb, path) => `The disk is read-only: could not ${verb} ${path}`,
    hint: () => 'mount it for writing, or name another place (DATA_DIR, --output)',
  },
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  ENAMETOOLONG: {
    kind: 'invalid',
    what: (verb, path) => `Could not ${verb} ${shortened(path, 60)}: the name is too long`,
    hint: () => 'choose a shorter name',
  },
  ENOTDIR: {
    kind: 'invalid',
    what: (verb, path) => `Could not ${verb} ${path}: a part of it is a file where a folder is needed`,
    hint: () => 'correct the name, or move the file away',
  },
}

/** By the call that met a missing file or directory. A file that is opened and missing has a message of its own where it is read. */
const missing: Readonly<Record<string, Wording | undefined>> = { mkdir: notCreated, uv_cwd: currentDirectoryGone }

/** What the system refused, where, and how to fix it; undefined for an error of another kind. `at` is the place if the error names none. */
export function systemFailure(error: unknown, at?: string): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall = '', path, dest } = error as SystemError
  const isInTheWay = code === 'EEXIST' && syscall === 'mkdir'
  const wording = isInTheWay ? fileInTheWay : (code === 'ENOENT' && missing[syscall]) || wordings[code]
  const place = dest ?? path ?? at ?? (syscall === 'uv_cwd' ? '.' : undefined)
  if (!wording || place === undefined) return undefined
  return new AppError(wording.kind, wording.what(verbs[syscall] ?? 'use', place), {
    hint: wording.hint(place),
    cause: error,
  })
}
