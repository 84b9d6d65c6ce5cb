// The production build: Remix by Vite into build/, the Node programs by esbuild into dist/.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = join(import.meta.dirname, '..')

function buildWeb() {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(root, 'node_modules/@remix-run/dev/dist/cli.js'), 'vite:build', '--logLevel', 'warn'],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_ENV: 'production' },
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The web build failed:\n${output}`))))
  })
}

/** Compresses scripts and styles once, at the best level; `web/asset-files.ts` serves the results. */
async function compressAssets() {
  const assets = join(root, 'build/client/assets')
  const compress = async (name) => {
    const file = join(assets, name)
    const bytes = readFileSync(file)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, quality))
    writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }))
  }
  await Promise.all(
    readdirSync(assets)
      .filter((name) => /\.(js|css)$/.test(name))
      .map(compress),
  )
}

/** Compresses the product's drawings into build/media. */
async function compressDrawings() {
  const drawings = join(root, 'web/public/media')
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const compress = async (name) => {
    const file = join(root, 'build/media', `${name}.br`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, await promisify(brotliCompress)(readFileSync(join(drawings, name)), quality))
  }
  await Promise.all(
    readdirSync(drawings, { recursive: true })
      .filter((name) => name.endsWith('.svg'))
      .map(compress),
  )
}

const dist = join(root, 'dist')

/** Returns the names of the files it wrote. Files of an earlier build are kept until this one is complete: a running server may still load them. */
async function buildPrograms() {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: {
      serve: 'serve.ts',
      'serve-role': 'serve-role.ts',
      cli: 'cli/main.ts',
      'row-encoder': 'core/platform/row-encoder-thread.ts',
      'likely-search': 'core/platform/likely/likely-thread.ts',
      'likely-helper': 'core/platform/likely/search-helper-thread.ts',
    },
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    packages: 'external',
    external: ['../build/server/index.js'],
    logLevel: 'warning',
  })
  chmodSync(join(dist, 'cli.js'), 0o755)
  return new Set(Object.keys(metafile.outputs).map((file) => basename(file)))
}

/** Lets `npx subscriptions` run this clone's own command. */
function linkCommand() {
  const bin = join(root, 'node_modules/.bin')
  const link = join(bin, 'subscriptions')
  if (process.platform === 'win32' || existsSync(link)) return
  mkdirSync(bin, { recursive: true })
  rmSync(link, { force: true })
  symlinkSync('../../dist/cli.js', link)
}

export async function build() {
  const [written] = await Promise.all([
    buildPrograms(),
    buildWeb().then(() => Promise.all([compressAssets(), compressDrawings()])),
  ])
  for (const name of readdirSync(dist)) if (!written.has(name)) rmSync(join(dist, name), { recursive: true })
  linkCommand()
}
