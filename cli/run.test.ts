import { describe, expect, it } from 'vitest'
import { runCli } from '#tests/support/captured-io.ts'
import { everyCommand, longFlags } from './command-tree.ts'
import { pathOf } from './help.ts'
import { makeProgram } from './program.ts'

const noDatabase = { env: { DATA_DIR: '/tmp', DATABASE_URL: 'sqlite:/nowhere/masthead.db' } }

const commands = [
  ['import'],
  ['imports', 'list'],
  ['imports', 'undo'],
  ['export'],
  ['mailing-file'],
  ['mailing-layouts', 'list'],
  ['mailing-layouts', 'show'],
  ['mailing-layouts', 'save'],
  ['mailing-layouts', 'remove'],
  ['publications', 'list'],
  ['publications', 'show'],
  ['users', 'list'],
  ['users', 'add'],
  ['users', 'deactivate'],
  ['users', 'reactivate'],
  ['users', 'reset-password'],
  ['users', 'reset-two-step'],
  ['publishers', 'list'],
  ['publishers', 'add'],
  ['audit'],
  ['orders', 'show'],
  ['orders', 'posted'],
  ['orders', 'refund'],
  ['ledger', 'totals'],
  ['ledger', 'schedule'],
  ['ledger', 'list'],
  ['ledger', 'close'],
  ['ledger', 'reopen'],
  ['ledger', 'vat'],
  ['ledger', 'journal'],
  ['ledger', 'accounts'],
  ['renewals', 'due'],
  ['renewals', 'plan'],
  ['renewals', 'charge'],
  ['publications', 'create'],
  ['publications', 'rename'],
  ['emails', 'show'],
  ['emails', 'resend'],
  ['emails', 'try-address'],
  ['promos', 'list'],
  ['promos', 'create'],
  ['promos', 'delete'],
  ['back-issues', 'list'],
  ['senders', 'list'],
  ['senders', 'show'],
  ['senders', 'set'],
  ['senders', 'check'],
  ['senders', 'send-link'],
  ['webhooks', 'list'],
  ['webhooks', 'add'],
  ['webhooks', 'pause'],
  ['webhooks', 'resume'],
  ['webhooks', 'remove'],
  ['webhooks', 'rotate-secret'],
  ['webhooks', 'deliveries'],
  ['webhooks', 'replay'],
  ['partners', 'rotate-keys'],
  ['jobs', 'list'],
  ['jobs', 'retry'],
  ['migrate'],
  ['seed'],
  ['doctor'],
  ['completion'],
]

/** Commands that only read, or write a requested file. Every other one has --dry-run. */
const readingCommands = [
  'audit',
  'back-issues list',
  'check',
  'circulation',
  'completion',
  'doctor',
  'emails list',
  'emails show',
  'export',
  'help',
  'imports backup',
  'imports list',
  'imports rejects',
  'imports show',
  'imports wait',
  'jobs list',
  'ledger export',
  'ledger journal',
  'ledger list',
  'ledger schedule',
  'ledger totals',
  'mailing-layouts list',
  'mailing-layouts show',
  'orders credits',
  'orders show',
  'orders to-post',
  'postcodes show',
  'promos list',
  'publications list',
  'publications show',
  'publishers list',
  'readers search',
  'readers show',
  'renewals due',
  'renewals efforts',
  'renewals simulate',
  'senders list',
  'senders show',
  'transfers list',
  'transfers log',
  'users list',
  'webhooks deliveries',
  'webhooks list',
]

describe('help', () => {
  it('is short without arguments: at most 24 lines of 80 columns on stdout, naming every command', async () => {
    const { exit, stdout, stderr } = await runCli([])
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    for (const [name] of commands) expect(stdout).toMatch(new RegExp(`\\n  (\\w+, )*${name}\\b`))
  })

  it.each(commands)(
    'of %s %s is the same with help, --help and -h: usage, 3 examples, flags, exit codes, docs',
    async (...words) => {
      const path = words.filter((word) => word !== undefined)
      const outputs = await Promise.all(
        [
          ['help', ...path],
          [...path, '--help'],
          [...path, '-h'],
        ].map((argv) => runCli(argv)),
      )
      expect(outputs[1]).toEqual(outputs[0])
      expect(outputs[2]).toEqual(outputs[0])
      const { exit, stdout, stderr } = outputs[0] ?? { exit: 1, stdout: '', stderr: '' }
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^Usage: subscriptions ${path.join(' ')}`, 'm'))
      expect(stdout.match(/^ {2}# /gm)?.length).toBeGreaterThanOrEqual(3)
      for (const part of ['Flags of every command:', 'Exit codes:', 'Docs: docs/cli.md', '--json'])
        expect(stdout).toContain(part)
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
    },
  )

  it('lists every exit code', async () => {
    const { stdout } = await runCli(['help', 'exit-codes'])
    expect(stdout.match(/^ {2}\d+/gm)?.map(Number)).toEqual([0, 1, 2, 3, 4, 5, 130])
  })

  it('lists --dry-run for every command that changes something', () => {
    const program = makeProgram({ cliOutput: {} as never, exit: 0 })
    const leaves = everyCommand(program).filter(({ commands: subcommands }) => subcommands.length === 0)
    const withoutDryRun = leaves.filter((leaf) => !longFlags(leaf).includes('--dry-run'))
    expect(withoutDryRun.map((leaf) => pathOf(leaf).replace(/^subscriptions /, '')).sort()).toEqual(readingCommands)
  })

  it('prints the version', async () => {
    await expect(runCli(['--version'])).resolves.toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })
})

describe('wrong usage', () => {
  it.each([
    [['imprt', 'a.csv', '--mode', 'add'], 'unknown command "imprt", did you mean "import"?'],
    [['frobnicate'], 'unknown command "frobnicate"'],
    [['jobs', 'lst'], 'unknown command "lst", did you mean "list"?'],
    [['help', 'imprt'], 'unknown command "imprt", did you mean "import"?'],
    [['import', 'a.csv', '--publcation', 'gardener'], 'unknown flag --publcation, did you mean "--publication"?'],
    [['--jsno'], 'unknown flag --jsno, did you mean "--json"?'],
    [['import'], 'no file given'],
    [['import', '/tmp', '--publication', 'x'], '/tmp is a directory'],
    [['import', 'package.json', '--mode', 'swap'], 'Allowed choices are add, combine, replace'],
    [['import', 'package.json'], 'no publication given'],
    [['export'], 'no publication given'],
    [['mailing-file', '--publication', 'x', '--on', '31/02/2026'], '--on 31/02/2026 is not a date'],
    [['export', '--publication', 'x', '--output', '/tmp'], '/tmp is a directory'],
    [['jobs', 'retry'], 'no job given'],
    [['jobs', 'retry', '7', '--all-failed'], 'not both'],
    [['jobs', 'retry', 'seven'], '"seven" is not the number of a job'],
    [['jobs', 'list', '--state', 'broken'], 'Allowed choices are waiting, active, done, failed'],
    [['completion', 'tcsh'], '"tcsh" is not a supported shell'],
  ])('%j exits 2 and explains on stderr, with the fix last', async (argv, message) => {
    const { exit, stdout, stderr } = await runCli(argv, noDatabase)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    const lines = stderr.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^error: /)
    expect(lines[0]).toContain(message)
    expect(lines.at(-1)).toMatch(/^fix: /)
  })

  it('is reported as JSON when JSON was requested', async () => {
    const { exit, stdout, stderr } = await runCli(['imprt', '--json'])
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'usage',
        message: expect.stringContaining('imprt'),
        hint: expect.stringContaining('subscriptions'),
      },
    })
  })
})

describe('something missing', () => {
  it('exits 4: no file, no database, wrong settings', async () => {
    const missing = await runCli(['import', 'no-such.csv', '--publication', 'x'], noDatabase)
    expect(missing).toMatchObject({ exit: 4, stderr: expect.stringContaining('There is no file') })
    const withoutDatabase = await runCli(['publications', 'list'], noDatabase)
    expect(withoutDatabase).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('fix: create it: subscriptions migrate'),
    })
    const unset = await runCli(['publications', 'list'], { env: { ...noDatabase.env, NODE_ENV: 'production' } })
    expect(unset).toMatchObject({ exit: 4, stderr: expect.stringContaining('APP_SECRET is not set') })
  })

  it('reports a server that does not respond, without its password, and exits 1', async () => {
    const env = { DATA_DIR: '/tmp', DATABASE_URL: 'postgres://app:sesame@127.0.0.1:1/masthead' }
    for (const flags of [[], ['--debug'], ['--json']]) {
      const { exit, stdout, stderr } = await runCli(['publications', 'list', ...flags], { env })
      expect(exit).toBe(1)
      expect(stdout + stderr).not.toContain('sesame')
      expect(stdout + stderr).toContain('subscriptions doctor')
    }
  })
})

describe('colour', () => {
  const failing = ['imprt']
  const everywhere = { terminal: ['stdin', 'stdout', 'stderr'] as ('stdin' | 'stdout' | 'stderr')[] }
  const escapeByte = String.fromCharCode(27)

  it('is on in a terminal', async () => {
    expect((await runCli(failing, everywhere)).stderr).toContain(escapeByte)
  })

  it.each([
    ['NO_COLOR', failing, { ...everywhere, env: { NO_COLOR: '1' } }],
    ['--no-color', [...failing, '--no-color'], everywhere],
    ['TERM=dumb', failing, { ...everywhere, env: { TERM: 'dumb' } }],
    ['a pipe for that stream', failing, { terminal: ['stdout' as const] }],
  ])('is off for %s', async (_, argv, terminal) => {
    expect((await runCli(argv, terminal)).stderr).not.toContain(escapeByte)
  })
})

describe('a required value', () => {
  it('is not prompted for with --no-input: its flag is named', async () => {
    const silent = await runCli(['export', '--no-input'], { ...noDatabase, terminal: ['stdin', 'stdout', 'stderr'] })
    expect(silent).toMatchObject({ exit: 2, stderr: expect.stringContaining('--publication') })
  })
})
