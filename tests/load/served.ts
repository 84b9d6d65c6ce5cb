import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'

/** Finds a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Waits until an address responds, and returns its response. */
export async function waitForServer(url: string): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return response.text()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} did not respond`)
}

/** The APP_SECRET of the installations that benchmarks start. */
export const benchSecret = 'bench-bench-bench-bench-bench-bench'

/** Starts the built product as production does: web and worker in one, or one of the two. */
export function startBuilt(env: Record<string, string>, role = 'all'): ChildProcess {
  return spawn(process.execPath, ['dist/serve.js', role], {
    env: {
      ...process.env,
      LOG_LEVEL: 'silent',
      NODE_ENV: 'production',
      ALLOW_DEMO_PAYMENTS: '1',
      APP_SECRET: benchSecret,
      DATABASE_URL: '',
      REDIS_URL: '',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

export function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** A percentile of the durations; `part` is 0 to 1. */
export const percentile = (durations: readonly number[], part: number) =>
  durations.toSorted((a, b) => a - b)[Math.min(durations.length - 1, Math.floor(durations.length * part))] ?? 0

/** Logs a demo user in by the form; returns the cookie to send. */
export async function logIn(url: string, loginPath: '/login' | '/slogin', email: string): Promise<string> {
  const response = await fetch(url + loginPath, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email, password: 'masthead' }),
  })
  await response.arrayBuffer()
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('masthead-session='))
  if (response.status !== 302 || !cookie) throw new Error(`${email} could not log in: ${response.status}`)
  return cookie.split(';')[0] ?? ''
}
