import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command, Option } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { Users } from '#core/users/users.rows.ts'
import { problemsOf } from '#tests/contract/plain-words.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { makePublication } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { everyCommand, longFlags } from './command-tree.ts'
import { pathOf } from './help.ts'
import { makeProgram } from './program.ts'

/** An empty value, and one that is no number or date, is longer than any field and has characters that cannot be stored or printed. */
const wrongValues = ['', `\ud800\u0007${'x'.repeat(5000)}`]

/** The column names of reader files do not count as internal names. */
const columnNames = readerColumns.map(({ header }) => header)

const cwd = mkdtempSync(join(tmpdir(), 'masthead-values-'))
let env: Record<string, string>
/** Valid values, by the name of an option or argument: what a command needs before it checks the wrong one. */
const valid: Record<string, string> = {
  number: '1',
  id: '1',
  'id or address': 'ann@example.test',
  email: 'ann@example.test',
  reference: 'A1',
  file: 'readers.csv',
  name: 'Own',
  handle: 'values',
  'new-handle': 'values-new',
  what: 'full-names',
  url: 'https://hooks.example',
  code: 'SPRING',
  'account=code': 'sales=4000',
  shell: 'bash',
  '--by': 'email',
  '--month': '2026-01',
  '--reason': 'Agreed',
}
beforeAll(async () => {
  const services = await openTestServices()
  const publication = await makePublication(services, { urlKey: 'values' })
  env = envOf(services)
  valid['--publication'] = 'values'
  valid['--publisher'] = (await Users.find(services, { id: publication.publisherId }))?.email ?? ''
  writeFileSync(join(cwd, 'readers.csv'), 'UniqueReference,FullName\nA1,Ann Lee\n')
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const program = makeProgram({ cliOutput: {} as never, exit: 0 })
const leaves = everyCommand(program).filter(({ commands }) => commands.length === 0)
const takesValue = ({ required, optional }: Option) => required || optional

/** The command with valid values for what it needs, and one wrong one. */
function commandLine(leaf: Command, wrong: { option?: Option; argument?: string }, value: string): string[] {
  const args = leaf.registeredArguments.map((argument) =>
    argument.name() === wrong.argument ? value : (valid[argument.name()] ?? 'x'),
  )
  const flags = leaf.options
    .filter((option) => takesValue(option) && option !== wrong.option && valid[option.long ?? ''] !== undefined)
    .filter((option) => option.mandatory || ['--publication', '--publisher'].includes(option.long ?? ''))
    .map((option) => `${option.long}=${valid[option.long ?? '']}`)
  const changes = longFlags(leaf).includes('--dry-run') ? ['--dry-run'] : []
  return [
    ...pathOf(leaf).split(' ').slice(1),
    ...changes,
    '--json',
    '--no-input',
    ...flags,
    ...(wrong.option ? [`${wrong.option.long}=${value}`] : []),
    '--',
    ...args,
  ]
}

/** A flag or argument that several commands share is parsed by shared code, so it is tried with only one of them. */
const tried = new Set<string>()
const isNew = (text: string) => tried.size < tried.add(text).size

/** Without a value, these flags are as if they were not given, or clear what is stored. */
const mayBeEmpty = new Set(
  (
    '--address --as-of --delimiter --description --encoding --from --key-line --layout --mail --name --on --quarter --reply-to --search ' +
    '--spares --state --to --until --zones'
  ).split(' '),
)
/** These flags do not matter in a dry run, or when there is nothing to write. */
const mayBeAnything = new Set(['--confirm', '--counts', '--directory', '--output', '--rejects'])

const isAcceptable = ({ long }: Option, value: string) =>
  mayBeAnything.has(long ?? '') || (value === '' && mayBeEmpty.has(long ?? ''))

const wrongLines = leaves.flatMap((leaf) => [
  ...leaf.options
    .filter((option) => takesValue(option) && isNew(`${option.flags} ${option.description}`))
    .flatMap((option) =>
      valuesOf(leaf, option).map((value) => ({
        argv: () => commandLine(leaf, { option }, value),
        mayBeAccepted: isAcceptable(option, value),
      })),
    ),
  ...leaf.registeredArguments
    .filter((argument) => isNew(`${argument.name()} ${argument.description}`))
    .flatMap((argument) =>
      wrongValues.map((value) => ({
        argv: () => commandLine(leaf, { argument: argument.name() }, value),
        mayBeAccepted: false,
      })),
    ),
])

function valuesOf(leaf: Command, { argChoices }: Option): readonly string[] {
  if (argChoices) return ['nonsense']
  // The command simulate ignores an empty value and then simulates years, which takes some seconds.
  return leaf.name() === 'simulate' ? wrongValues.slice(1) : wrongValues
}

it('a command refuses the wrong value of a flag or argument, in plain words', async () => {
  const problems: string[] = []
  const lines = wrongLines.values()
  const tryLines = async () => {
    for (const { argv, mayBeAccepted } of lines) problems.push(...(await problemsAfter(argv(), mayBeAccepted)))
  }
  await Promise.all(Array.from({ length: 4 }, tryLines))
  expect(problems).toEqual([])
})

async function problemsAfter(argv: string[], mayBeAccepted: boolean): Promise<string[]> {
  const { exit, stdout } = await runCli(argv, { env, cwd })
  const line = argv.map((word) => word.slice(0, 40)).join(' ')
  if (exit === 0) return mayBeAccepted ? [] : [`${line}: is accepted`]
  if (!stdout.includes('"error"')) return [`${line}: exit ${exit} without an error`]
  const { code, message, hint } = JSON.parse(stdout).error
  const texts = [
    // Messages of commands begin with a small letter, as those of compilers do.
    `Refused: ${message}`.replaceAll(cwd, ''),
    // A hint may list everything that can be chosen.
    ...(hint ? [`Fix: ${hint}`.slice(0, 400)] : []),
  ]
  return texts
    .flatMap((text) => problemsOf(code === 'bug' ? 500 : 400, JSON.stringify({ message: text }), columnNames))
    .map((problem) => `${line}: ${problem}`)
}
