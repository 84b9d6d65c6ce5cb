import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { freePort } from '#tests/load/served.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface LogLine {
  msg: string
  pid: number
  path?: string
  error?: { message: string }
  code?: number | null
  signal?: string | null
}

/** Returns a function that waits for the next line of a stream that matches. */
function makeLineReader(stream: NodeJS.ReadableStream) {
  const lines: string[] = []
  const waiting: (() => void)[] = []
  createInterface({ input: stream }).on('line', (line) => {
    lines.push(line)
    for (const check of waiting.splice(0)) check()
  })
  return async (matches: (line: string) => boolean): Promise<string> => {
    for (;;) {
      const index = lines.findIndex(matches)
      if (index !== -1) return lines.splice(0, index + 1).at(-1) ?? ''
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
}

/** The only child of a process, according to the operating system. */
function childOf({ pid }: ChildProcess): number {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const [, child] = new RegExp(`^ *(\\d+) +${pid}$`, 'm').exec(processes) ?? []
  if (!child) throw new Error(`Process ${pid} has no child`)
  return Number(child)
}

describe('a crashing process', () => {
  let dataDir: string
  let parent: ChildProcess
  let url: string
  let port: number
  let nextLine: ReturnType<typeof makeLineReader>
  let waitForLog: (matches: (line: LogLine) => boolean) => Promise<LogLine>
  let exited: Promise<number | null>

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'masthead-restart-'))
    copyFileSync(inject('sqliteTemplate'), join(dataDir, 'masthead.db'))
    port = await freePort()
    url = `http://127.0.0.1:${port}`
    parent = spawn(process.execPath, ['dist/serve.js'], {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: `--import ${join(root, 'tests/support/injected-errors.mjs')}`,
        NODE_ENV: 'test',
        LOG_LEVEL: 'info',
        SEED: 'none',
        DATA_DIR: dataDir,
        DATABASE_URL: '',
        REDIS_URL: '',
        HOST: '127.0.0.1',
        PORT: String(port),
        APP_SECRET: 'test-secret-test-secret-test-secret',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (!parent.stdout || !parent.stderr) throw new Error('The process has no output')
    nextLine = makeLineReader(parent.stdout)
    const log = makeLineReader(parent.stderr)
    waitForLog = async (matches) =>
      JSON.parse(await log((line) => line.startsWith('{') && matches(JSON.parse(line) as LogLine))) as LogLine
    exited = new Promise((resolve) => parent.once('exit', resolve))
  })
  afterEach(() => {
    parent.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })

  const waitUntilUp = () => nextLine((line) => line.startsWith('Masthead is at'))

  /** The process that serves requests: the child logs its process id. */
  async function childPid(): Promise<number> {
    const path = `/no-such-title-${Math.random().toString(36).slice(2)}`
    await (await fetch(url + path)).arrayBuffer()
    return (await waitForLog((line) => line.path === path)).pid
  }

  it('that is killed is restarted, and a signal to the parent ends both cleanly', async () => {
    await waitUntilUp()
    // Killed immediately: a process that has reported that it is up is restarted.
    const firstPid = childOf(parent)
    process.kill(firstPid, 'SIGKILL')
    expect(await waitForLog((line) => /is restarted/.test(line.msg))).toMatchObject({ signal: 'SIGKILL' })
    await waitUntilUp()
    const secondPid = await childPid()
    expect(secondPid).not.toBe(firstPid)
    parent.kill('SIGTERM')
    expect(await exited).toBe(0)
    await expect(fetch(url)).rejects.toThrow()
  })

  for (const [kind, signal, message] of [
    ['rejection', 'SIGUSR2', 'planted rejection'],
    ['error', 'SIGWINCH', 'planted error'],
  ] as const) {
    it(`with an unhandled ${kind} logs it, answers requests in progress, and is restarted`, async () => {
      await waitUntilUp()
      const child = await childPid()
      // A form half sent when the process crashes.
      const body = 'email=ann%40example.com&password=wrong'
      const socket = connect(port, '127.0.0.1')
      let response = ''
      socket.on('data', (bytes) => {
        response += bytes.toString()
      })
      const closed = new Promise((resolve) => socket.once('close', resolve))
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.write(
        `POST /login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      )
      // The server has received the request once it asks for the body.
      while (!response.includes('100 Continue')) await new Promise((resolve) => socket.once('data', resolve))
      process.kill(child, signal)
      expect(await waitForLog((line) => /unhandled error/.test(line.msg))).toMatchObject({
        pid: child,
        error: { message },
      })
      socket.write(body)
      await closed
      expect(response).toMatch(/HTTP\/1\.1 422/)
      expect(await waitForLog((line) => /is restarted/.test(line.msg))).toMatchObject({ code: 1 })
      await waitUntilUp()
      expect(await childPid()).not.toBe(child)
    })
  }

  it('before it has started: the parent says why and exits', async () => {
    await waitUntilUp()
    const secondParent = spawn(process.execPath, ['dist/serve.js', 'web'], {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        DATA_DIR: dataDir,
        PORT: String(port),
        HOST: '127.0.0.1',
        SEED: 'none',
        DATABASE_URL: '',
        REDIS_URL: '',
        APP_SECRET: 'test-secret-test-secret-test-secret',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    secondParent.stderr?.on('data', (bytes: Buffer) => {
      output += bytes.toString()
    })
    const code = await new Promise((resolve) => secondParent.once('close', resolve))
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(`Port ${port} is in use`) })
  })
})
