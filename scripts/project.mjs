// Helpers shared by the scripts. Only Node itself is used here: on a fresh clone nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

export const say = (text) => process.stderr.write(`${text}\n`)

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24
  if (isSupported) return
  say(`error: Node ${process.versions.node} is not supported by Masthead`)
  say('fix: install Node 20.19, 22.13, 24 or newer, then run the same command again')
  process.exit(1)
}

/** Runs a program that inherits this process's output; resolves with its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32', ...options })
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)))
  })
}

/** Runs a package's command with this Node. Returns what it printed, and its exit code. */
export function tool(path, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', path), ...args], { cwd: root })
    const printed = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => printed.push(piece))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, printed: Buffer.concat(printed).toString() }))
  })
}

function stampOf(...files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/**
 * Whether npm finished (it writes `.package-lock.json` last) and every locked package is installed in its version. Packages for other systems
 * may be missing.
 */
function isInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).every(([path, { version, optional }]) => {
    const file = join(root, path, 'package.json')
    return existsSync(file) ? path === '' || JSON.parse(readFileSync(file, 'utf8')).version === version : optional
  })
}

/** Writes a temporary file and renames it: copies of this folder may share their files. */
function writeStamp(stampFile, stamp) {
  writeFileSync(`${stampFile}.part`, stamp)
  renameSync(`${stampFile}.part`, stampFile)
}

/** Installs the locked packages if they are missing or differ from the lock file. */
export async function ensureInstalled() {
  // A linked folder belongs to another working copy; installing through the link would empty that one.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return
  const stampFile = join(root, 'node_modules/.masthead-installed')
  const stamp = stampOf('package-lock.json', 'package.json')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  if (isInstalled()) return writeStamp(stampFile, stamp)
  say('Installing packages. The first time takes two to three minutes ...')
  const started = Date.now()
  const child = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    // Development packages are included, since they build the product on the first start. JOBS: SQLite is compiled on all cores.
    env: { JOBS: 'max', ...process.env, NODE_ENV: 'development' },
  })
  if (child.status !== 0) {
    say('error: the packages could not be installed (see above)')
    say(
      'fix: check the network and that python3, make and a C++ compiler are installed, then run the same command again',
    )
    process.exit(1)
  }
  writeStamp(stampFile, stamp)
  say(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s`)
}

export const sourceFolders = ['core', 'web', 'cli', 'worker', 'scripts']
export const sourceFiles = ['serve.ts', 'serve-role.ts', 'package-lock.json', 'vite.config.ts', 'tsconfig.json']

/** One hash over names, sizes and times of everything the build reads. */
function sourceStamp() {
  const hash = createHash('sha256')
  const visit = (path) => {
    const stats = statSync(join(root, path))
    if (stats.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`)
    } else hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`)
  }
  for (const path of [...sourceFolders, ...sourceFiles]) if (existsSync(join(root, path))) visit(path)
  return hash.digest('hex')
}

/** Builds web, CLI and worker if the sources have changed since the last build. */
export async function ensureBuilt({ force = false } = {}) {
  const stampFile = join(root, 'dist/.built')
  const stamp = sourceStamp()
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  say('Building ...')
  const started = Date.now()
  const { build } = await import('./bundle.mjs')
  // Removed first: a build that fails halfway must not count as complete.
  rmSync(stampFile, { force: true })
  await build()
  writeFileSync(stampFile, stamp)
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}
