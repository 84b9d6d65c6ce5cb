import { spawnSync } from 'node:child_process'

/** How long the command takes to print its help: the cost of every completion and every typing error. */
const runs = 15

// This variable makes Node 20 read extra certificates at every start; it is set by the machine.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env

function milliseconds(args: string[]): number[] {
  return Array.from({ length: runs }, () => {
    const started = process.hrtime.bigint()
    const { status } = spawnSync(process.execPath, args, { env })
    if (status !== 0) throw new Error(`node ${args.join(' ')} exited with ${status}`)
    return Number(process.hrtime.bigint() - started) / 1e6
  }).toSorted((a, b) => a - b)
}

const row = (name: string, times: number[]) =>
  `| ${name} | ${times[0]?.toFixed(0)} | ${times[Math.floor(runs / 2)]?.toFixed(0)} | ${times.at(-1)?.toFixed(0)} |`

process.stdout.write(
  [
    '### Command line',
    '',
    '| command | best ms | median ms | worst ms |',
    '|---|---|---|---|',
    row('node -e 0 (the least)', milliseconds(['-e', '0'])),
    row('subscriptions --help', milliseconds(['dist/cli.js', '--help'])),
    row('subscriptions import --help', milliseconds(['dist/cli.js', 'import', '--help'])),
    '',
    '',
  ].join('\n'),
)
