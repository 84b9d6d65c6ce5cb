import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { processes } from './processes.ts'
import { projectRoot } from './project-root.ts'

it('distinguishes a running process from one that has ended, even if its number is used again', async () => {
  const program = `
    import { processes } from '#core/platform/processes.ts'
    process.stdout.write(processes.self)
    process.stdin.resume()
  `
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    cwd: projectRoot(),
    env: { ...process.env, TSX_DISABLE_CACHE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const name = String((await once(child.stdout, 'data'))[0])
    expect(processes.hasEnded(name)).toBe(false)
    const [host, pid] = name.split(' ')
    // Names of earlier releases say nothing about the start of the process.
    expect(processes.hasEnded(`${host} ${pid} a`)).toBe(false)
    expect(processes.hasEnded(name.replace(`${host}`, 'elsewhere'))).toBe(false)
    // The same number, with the start time of another process.
    if (process.platform === 'linux')
      expect(processes.hasEnded(`${host} ${pid} ${processes.self.split(' ').slice(2).join(' ')}`)).toBe(true)
    child.stdin.end()
    await ended
    expect(processes.hasEnded(name)).toBe(true)
  } finally {
    child.kill('SIGKILL')
  }
})
