import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { AppError } from '#core/kernel/errors.ts'
import { projectRoot } from './project-root.ts'

export type Variables = Record<string, string | undefined>

/** Settings by name, unparsed, each from the first source that has it. */
export interface StoredSettings {
  values: Variables
  /** Where each value is from: `environment`, or the path of a file. */
  from: Record<string, string>
  /** The files that were read, in order of precedence. */
  files: string[]
}

const fileName = 'settings.env'

/**
 * Reads the settings of the server and of the command line: the file that a flag names, the environment, the user's file, the file next to
 * the installation, in this order. SETTINGS_FILE names one file in place of the last two. A blank value counts as none.
 */
export function readSettings(environment: Variables = process.env, flagFile?: string): StoredSettings {
  const defaultLayers = environment.SETTINGS_FILE
    ? [readLayer(resolve(environment.SETTINGS_FILE))]
    : [userFile(environment), join(projectRoot(), fileName)].map(readIfPresent)
  const settings: StoredSettings = { values: {}, from: {}, files: [] }
  const layers = [
    flagFile === undefined ? undefined : readLayer(resolve(flagFile)),
    { path: 'environment', values: environment },
    ...defaultLayers,
  ]
  for (const layer of layers) {
    if (layer === undefined) continue
    if (layer.values !== environment) settings.files.push(layer.path)
    for (const [name, value] of Object.entries(layer.values)) {
      if (!value || Object.hasOwn(settings.from, name)) continue
      settings.values[name] = value
      settings.from[name] = layer.path
    }
  }
  return settings
}

interface Layer {
  path: string
  values: Variables
}

/** `subscriptions/settings.env` in the user's configuration folder; `subscriptions` may be the file itself. */
function userFile({ XDG_CONFIG_HOME, HOME }: Variables): string {
  // cron and `env -i` may leave HOME out; the system still knows it.
  const folder = XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config')
  const path = join(folder, 'subscriptions')
  return isFile(path) ? path : join(path, fileName)
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    // No file, or in a home that we may not read.
    return false
  }
}

function readIfPresent(path: string): Layer | undefined {
  return isFile(path) ? readLayer(path) : undefined
}

function readLayer(path: string): Layer {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new AppError('invalid', `The settings file ${path} cannot be read: ${code ?? message}`, {
      hint:
        code === 'ENOENT'
          ? 'Correct its name, or create it, with one NAME=value per line'
          : 'Give the user that runs Masthead permission to read it (chmod, chown)',
      cause,
    })
  }
  return { path, values: parse(text, path) }
}

/** One NAME=value per line; blank lines and those that begin with # are ignored, and quotes around a value are not part of it. */
function parse(text: string, path: string): Variables {
  const values: Variables = {}
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, raw = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined)
      throw new AppError('invalid', `Line ${index + 1} of the settings file ${path} is not NAME=value`, {
        hint: 'Correct the line, or begin it with # to make it a comment',
      })
    values[name] = /^("[^"]*"|'[^']*')$/.test(raw) ? raw.slice(1, -1) : raw
  }
  return values
}
