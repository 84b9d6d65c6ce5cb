import type { Command, Help, Option } from 'commander'
import { type ExitName, exitCodes } from './cli-error.ts'

/** What a command's help says beyond its arguments and flags. */
export interface About {
  summary: string
  /** Sentences under the summary, to read before the first use. */
  details?: string
  /** A comment and the line to type: simplest first. */
  examples: readonly (readonly [comment: string, line: string])[]
  /** Exit codes beyond done, failed, usage error and interrupted. */
  exits?: readonly ExitName[]
  /** The arguments that a list of commands shows after the name. */
  usage?: string
}

const helpTexts = new WeakMap<Command, About>()

/** Sets the help texts of a command. */
export function describe(command: Command, about: About): Command {
  helpTexts.set(command, about)
  return command.summary(about.summary).description(about.summary)
}

const everyExit: readonly ExitName[] = ['done', 'failed', 'usage', 'interrupted']

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** The standard width of a terminal. */
const columns = 80

function rows(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([term]) => term.length))
  return pairs.flatMap(([term, text]) =>
    wrapped(text, columns - width - 4).map((line, index) => `  ${(index === 0 ? term : '').padEnd(width)}  ${line}`),
  )
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trimStart()
    if (longer.length <= width || lines.at(-1) === '') lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

const flagPairs = (options: readonly Option[], helper: Help): (readonly [string, string])[] =>
  options
    .filter(({ hidden }) => !hidden)
    .map((option) => [helper.optionTerm(option), helper.optionDescription(option).replaceAll('"', '')])

const visibleCommands = (command: Command) => command.commands.filter((child) => helpTexts.has(child))

/** The whole help of one command: the same text for -h, --help and help <command>. */
function commandHelp(command: Command, helper: Help): string {
  const about = helpTexts.get(command)
  const root = rootOf(command)
  const lines = [`${about?.summary ?? command.description()}.`]
  if (about?.details) lines.push('', about.details)
  lines.push('', `Usage: ${pathOf(command)} ${command.usage()}`)
  const children = visibleCommands(command)
  if (children.length > 0) {
    lines.push('', 'Commands:', ...rows(children.map((child) => [displayName(child), child.summary()] as const)))
  }
  if (about) {
    lines.push('', 'Examples:')
    for (const [comment, line] of about.examples) lines.push(`  # ${comment}`, `  ${line}`)
  }
  const flags = command === root ? [] : command.options
  if (flags.length > 0) lines.push('', 'Flags:', ...rows(flagPairs(flags, helper)))
  lines.push(
    '',
    command === root ? 'Flags:' : 'Flags of every command:',
    ...rows([...flagPairs(root.options, helper), ['-h, --help', 'show this help']]),
  )
  const exits = (Object.keys(exitCodes) as ExitName[]).filter(
    (name) => everyExit.includes(name) || about?.exits?.includes(name),
  )
  lines.push(
    '',
    'Exit codes:',
    ...rows(exits.map((name) => [String(exitCodes[name].code), exitCodes[name].meaning] as const)),
  )
  lines.push('', 'Docs: docs/cli.md', '')
  return lines.join('\n')
}

function displayName(command: Command): string {
  const usage = helpTexts.get(command)?.usage
  return usage ? `${command.name()} ${usage}` : command.name()
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command
}

/** Commands that share a line of the short help, so that it fits a terminal of 24 lines. */
const sharedLines = [
  { names: ['check', 'fix', 'dedupe'], summary: 'Check reader records, fix them, merge duplicates' },
  { names: ['promos', 'back-issues'], summary: 'Promo codes and back issues of a publication' },
  { names: ['emails', 'senders', 'webhooks'], summary: 'Emails sent and their senders; webhooks' },
  { names: ['audit', 'jobs', 'partners'], summary: 'Activity log; worker jobs; signing keys' },
  { names: ['migrate', 'seed', 'doctor'], summary: 'Set up, add demo data, or check the installation' },
  { names: ['completion', 'help'], summary: 'Completion for your shell; help and exit codes' },
]

/** The output of `subscriptions` without arguments: the commands. At most 24 lines. */
export function shortHelp(root: Command): string {
  const isShared = (command: Command) => sharedLines.some(({ names }) => names.includes(command.name()))
  return [
    `${helpTexts.get(root)?.summary}.`,
    ...rows([
      ...visibleCommands(root)
        .filter((command) => !isShared(command))
        .map((command) => [displayName(command), command.summary()] as const),
      ...sharedLines.map(({ names, summary }) => [names.join(', '), summary] as const),
    ]),
    `Usage: ${root.name()} <command> [flags]    Docs: docs/cli.md`,
  ].join('\n')
}

export function exitCodeHelp(): string {
  return [
    'Exit codes of every command:',
    '',
    ...rows(Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const)),
    '',
    'Docs: docs/cli.md',
  ].join('\n')
}

/** The commander setting that makes every command print its help this way. */
export const helpStyle = { formatHelp: commandHelp }
