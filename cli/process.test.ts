import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'

/** The real program in a separate process: the build if there is one, else the sources. */
const built = join(projectRoot(), 'dist/cli.js')
const command = existsSync(built) ? [built] : ['--import', 'tsx', join(projectRoot(), 'cli/main.ts')]
const folder = mkdtempSync(join(tmpdir(), 'masthead-cli-'))
const env = {
  DATA_DIR: folder,
  DATABASE_URL: `sqlite:${join(folder, 'masthead.db')}`,
  APP_SECRET: 'test-secret-test-secret-test-secret',
  NODE_ENV: 'test' as const,
}

const subscriptions = (argv: string[], options: { input?: string; env?: Record<string, string> } = {}) =>
  execa(process.execPath, [...command, ...argv], {
    cwd: projectRoot(),
    env: { ...env, ...options.env },
    reject: false,
    ...(options.input === undefined ? { stdin: 'ignore' } : { input: options.input }),
  })

beforeAll(async () => {
  await subscriptions(['migrate'])
  await subscriptions(['seed', '--yes'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the process', () => {
  it.each([
    [[], 0],
    [['--help'], 0],
    [['publications', 'list'], 0],
    [['publications', 'show', 'nobody'], 4],
    [['imprt'], 2],
    [['seed', '--yes'], 5],
  ])('%j exits with code %i', async (argv, code) => {
    expect((await subscriptions(argv)).exitCode).toBe(code)
  })

  it('writes the same stdout, byte for byte and without colour, whether or not stderr is shown', async () => {
    const shell = (line: string) =>
      execa('/bin/sh', ['-c', line], { env, cwd: projectRoot(), stripFinalNewline: false })
    const program = [process.execPath, ...command].map((word) => `'${word}'`).join(' ')
    const withStderr = await shell(`${program} publications list --verbose`)
    const withoutStderr = await shell(`${program} publications list --verbose 2>/dev/null`)
    expect(withoutStderr.stdout).toBe(withStderr.stdout)
    expect(withStderr.stderr).not.toBe('')
    expect(withStderr.stdout + withStderr.stderr).not.toContain(String.fromCharCode(27))
  })

  it.each([
    [['help', 'import'], 0],
    [['doctor', '--settings', '/nowhere.env', '--quiet'], 1],
  ])('exits quietly with its own code when the output pipe of %j is closed', async (argv, exit) => {
    const child = spawn(process.execPath, [...command, ...argv], {
      cwd: projectRoot(),
      env: { ...process.env, ...env },
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.stdout.destroy()
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect({ code, stderr }).toEqual({ code: exit, stderr: '' })
  })

  it.runIf(process.platform !== 'win32').each(['SIGINT', 'SIGTERM'] as const)(
    'ends on %s in a command that has no checkpoint to wait for',
    async (signal) => {
      // A database server that accepts the connection and never responds.
      const server = createServer()
      const connected = new Promise<{ destroy(): void }>((resolve) => server.once('connection', resolve))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      const url = `postgres://app:app@127.0.0.1:${port}/masthead`
      const child = spawn(process.execPath, [...command, 'publications', 'list'], {
        cwd: projectRoot(),
        env: { ...process.env, ...env, DATABASE_URL: url },
        stdio: 'ignore',
      })
      const socket = await connected
      child.kill(signal)
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130)
      socket.destroy()
      server.close()
    },
  )

  it.runIf(process.platform === 'linux')('says that the disk is full and exits 1', async () => {
    for (const words of ['publications list', 'import --help', 'help import', '--version']) {
      const line = `'${process.execPath}' ${command.map((word) => `'${word}'`).join(' ')} ${words} > /dev/full`
      const { exitCode, stderr } = await execa('/bin/sh', ['-c', line], { env, cwd: projectRoot(), reject: false })
      expect({ words, exitCode }).toEqual({ words, exitCode: 1 })
      expect(stderr).toContain('The disk is full')
    }
  })

  it.runIf(process.platform === 'linux')('names the path that cannot be written, and what to do', async () => {
    const locked = mkdtempSync(join(tmpdir(), 'masthead-locked-'))
    chmodSync(locked, 0o555)
    // A read-only folder does not stop root, so the program runs as another user.
    const uid = process.getuid?.() === 0 ? { uid: 65534 } : {}
    const run = (argv: string[]) =>
      execa(process.execPath, [...command, ...argv], {
        cwd: projectRoot(),
        env: { NODE_ENV: 'test', DATA_DIR: join(locked, 'data') },
        reject: false,
        stdin: 'ignore',
        ...uid,
      })
    for (const argv of [['publications', 'list'], ['migrate']]) {
      const { exitCode, stderr } = await run(argv)
      expect(exitCode).toBe(4)
      expect(stderr).toContain(`error: This user may not create ${join(locked, 'data')}`)
      expect(stderr).toContain('\nfix: give the user that runs Masthead permission')
    }
    const doctor = await run(['doctor'])
    expect(doctor.exitCode).toBe(1)
    expect(doctor.stdout).toContain(`This user may not create ${join(locked, 'data')}`)
    rmSync(locked, { recursive: true })
  })

  it.runIf(process.platform !== 'win32')('in a directory that was removed, fails only where it needs it', async () => {
    const program = [process.execPath, ...command].map((word) => `'${word}'`).join(' ')
    const run = (words: string) =>
      execa('/bin/sh', ['-c', `mkdir gone; cd gone; rmdir ../gone; ${program} ${words}`], {
        env,
        cwd: folder,
        reject: false,
      })
    expect(await run('publications list')).toMatchObject({ exitCode: 0, stderr: '' })
    const { exitCode, stderr } = await run('export --publication harbour-light --output readers.csv')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 4,
      stderr:
        'error: The current directory no longer exists\nfix: change to one that exists (cd), then run the same command again',
    })
  })

  it('finishes every check of doctor on a full disk, and leaves no file there', async () => {
    const full = { NODE_OPTIONS: `--import ${join(projectRoot(), 'tests/support/full-disk.mjs')}` }
    const { exitCode, stdout } = await subscriptions(['doctor', '--no-color'], { env: full })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(
      new RegExp(`✗ Data folder The disk is full: could not write ${folder}/\\S+\\n +fix: make room`),
    )
    expect(stdout).toMatch(/✓ Clock/)
    expect(stdout).not.toContain('ENOSPC')
    expect(readdirSync(folder, { recursive: true }).filter((path) => String(path).includes('doctor'))).toEqual([])
    const empty = mkdtempSync(join(tmpdir(), 'masthead-full-'))
    const unset = await subscriptions(['doctor', '--json'], { env: { ...full, DATA_DIR: empty, APP_SECRET: '' } })
    expect(unset.exitCode).toBe(1)
    expect(JSON.parse(unset.stdout).checks).toContainEqual(
      expect.objectContaining({ name: 'Settings', found: expect.stringMatching(/^The disk is full/) }),
    )
    rmSync(empty, { recursive: true })
  })

  it.runIf(process.platform !== 'win32')('creates a database that only its user can read', () => {
    expect(statSync(join(folder, 'masthead.db')).mode & 0o777).toBe(0o600)
  })

  it('needs no environment variables when a settings file has the settings', async () => {
    const settings = join(folder, 'named.env')
    writeFileSync(settings, `DATA_DIR=${folder}\nAPP_SECRET=${env.APP_SECRET}\n`)
    const { exitCode, stdout } = await execa(
      process.execPath,
      [...command, 'publications', 'list', '--settings', settings],
      { cwd: tmpdir(), env: {}, extendEnv: false, reject: false },
    )
    expect({ exitCode, handles: stdout.split('\n').map((line) => line.split('\t')[0]) }).toMatchObject({
      exitCode: 0,
      handles: expect.arrayContaining(['harbour-light']),
    })
  })

  it('prints a completion script that bash can read and that completes commands, flags and handles', async () => {
    const { stdout } = await subscriptions(['completion', 'bash'])
    const script = join(folder, 'completion.bash')
    writeFileSync(script, stdout)
    await expect(execa('bash', ['-n', script])).resolves.toMatchObject({ exitCode: 0 })
    const complete = async (...words: string[]) => {
      const line = `subscriptions() { '${process.execPath}' ${command.map((word) => `'${word}'`).join(' ')} "$@"; }
        source '${script}'; COMP_WORDS=(subscriptions ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
        _subscriptions; printf '%s\\n' "\${COMPREPLY[@]}"`
      return (await execa('bash', ['-c', line], { env, cwd: projectRoot() })).stdout.split('\n')
    }
    expect(await complete('mail')).toEqual(['mailing-file', 'mailing-layouts'])
    expect(await complete('jobs', '')).toEqual(expect.arrayContaining(['list', 'retry', '--json']))
    expect(await complete('jobs', 'list', '--st')).toEqual(['--state'])
    expect(await complete('jobs', 'list', '--state', 'f')).toEqual(['failed'])
    expect(await complete('users', 'list', '--state', '')).not.toContain('failed')
    expect(await complete('orders', 'add', '--method', 'ch')).toEqual(['cheque'])
    expect(await complete('orders', 'refund', '--method', 'c')).toEqual(['credit'])
    expect(await complete('export', '--publication', 'har')).toEqual(['harbour-light'])
    expect(await complete('publications', 'show', 'slow')).toEqual(['slow-steam'])
  })

  it.each(['zsh', 'fish', 'powershell'])('prints a completion script for %s with every command', async (shell) => {
    const { stdout, exitCode } = await subscriptions(['completion', shell])
    expect(exitCode).toBe(0)
    for (const word of ['mailing-file', 'retry', 'publication', 'handles']) expect(stdout).toContain(word)
  })
})
