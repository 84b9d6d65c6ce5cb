import type { Command, Option } from 'commander'
import { longFlags } from './command-tree.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

export function isShell(text: string): text is Shell {
  return (shells as readonly string[]).includes(text)
}

/** A node of the command tree: the words typed so far and what may follow them. */
interface CommandNode {
  /** "jobs list"; empty for the program itself. */
  path: string
  children: { name: string; summary: string }[]
  flags: string[]
  options: readonly Option[]
}

type Value = 'none' | 'files' | 'handles' | readonly string[]

const fileFlags = ['--output', '--file', '--rejects']

/** The kind of value that a flag takes; undefined if it takes none. */
function valueKind(option: Option): Value | undefined {
  if (!option.required && !option.optional) return undefined
  if (option.argChoices) return option.argChoices
  if (option.long === '--publication') return 'handles'
  return fileFlags.includes(option.long ?? '') ? 'files' : 'none'
}

function nodesOf(command: Command, path = ''): CommandNode[] {
  const children = command.commands.map((child) => ({ name: child.name(), summary: child.summary() }))
  const node = {
    path,
    children,
    flags: [...new Set([...longFlags(command), '--help'])],
    options: command.options.filter(({ hidden }) => !hidden),
  }
  return [node, ...command.commands.flatMap((child) => nodesOf(child, `${path} ${child.name()}`.trim()))]
}

/** A flag that takes a value, with its names (`-p`, `--publication`): of one command, or with `path` null of every command that has it. */
interface ValuedFlag {
  path: string | null
  names: string[]
  value: Value
}

/** The flags that take a value: once where it is the same in all commands, else once for each. */
function flagsWithValue(nodes: readonly CommandNode[]): ValuedFlag[] {
  const all = nodes.flatMap(({ path, options }) =>
    options.map((option) => ({ path, option, value: valueKind(option) })),
  )
  return [...new Set(all.map(({ option }) => option.long))].flatMap((name): ValuedFlag[] => {
    const sameFlag = all.filter(({ option }) => option.long === name)
    const valuedFlags = sameFlag.flatMap(({ path, option: { short, long }, value }) =>
      value === undefined || !long ? [] : [{ path, names: short ? [short, long] : [long], value }],
    )
    const isShared = new Set(sameFlag.map(({ option, value }) => JSON.stringify([option.short, value]))).size === 1
    return isShared ? valuedFlags.slice(0, 1).map((flag) => ({ ...flag, path: null })) : valuedFlags
  })
}

/** The patterns of `<command> <previous word>` after which a flag's value is typed. */
const valuePatterns = ({ path, names }: ValuedFlag) =>
  names.map((name) => (path === null ? `*" ${name}"` : `"${path} ${name}"`)).join('|')

const completionsAt = ({ children, flags }: CommandNode) => [...children.map(({ name }) => name), ...flags]
/** Patterns of `<command> <next word>` that lead one command further; at the start the command is empty. */
const steps = (nodes: readonly CommandNode[]) =>
  nodes.flatMap(({ path }) => (path === '' ? [] : [`"${path.includes(' ') ? path : ` ${path}`}"`]))

const handlesCommand = 'subscriptions completion handles 2>/dev/null'

/** The completion script of a shell for the program's whole command tree. */
export function completionScript(shell: Shell, root: Command): string {
  const nodes = nodesOf(root)
  return { bash, zsh, fish, powershell }[shell](nodes).trimEnd()
}

function bash(nodes: readonly CommandNode[]): string {
  const reply = (value: Value) =>
    value === 'files'
      ? 'COMPREPLY=($(compgen -f -- "$cur"))'
      : value === 'none'
        ? 'COMPREPLY=()'
        : `COMPREPLY=($(compgen -W "${value === 'handles' ? `$(${handlesCommand})` : value.join(' ')}" -- "$cur"))`
  return `# bash completion for subscriptions
_subscriptions() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${steps(nodes).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $prev" in
${flagsWithValue(nodes)
  .map((flag) => `    ${valuePatterns(flag)}) ${reply(flag.value)}; return ;;`)
  .join('\n')}
  esac
  case "$at" in
${nodes.map((node) => `    "${node.path}") words="${completionsAt(node).join(' ')}" ;;`).join('\n')}
  esac
  if [ "$at" = "publications show" ]; then words="$words $(${handlesCommand})"; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _subscriptions subscriptions
`
}

function zsh(nodes: readonly CommandNode[]): string {
  const reply = (value: Value) =>
    value === 'files'
      ? '_files'
      : value === 'none'
        ? ':'
        : `compadd -- ${value === 'handles' ? `\${(f)"$(${handlesCommand})"}` : value.join(' ')}`
  return `#compdef subscriptions
_subscriptions() {
  local at="" word prev="\${words[CURRENT-1]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${steps(nodes).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $prev" in
${flagsWithValue(nodes)
  .map((flag) => `    (${valuePatterns(flag)}) ${reply(flag.value)}; return ;;`)
  .join('\n')}
  esac
  case "$at" in
${nodes.map((node) => `    ("${node.path}") compadd -- ${completionsAt(node).join(' ')} ;;`).join('\n')}
  esac
  case "$at" in
    ("publications show") compadd -- \${(f)"$(${handlesCommand})"} ;;
    ("import") _files ;;
  esac
}
if [ "$funcstack[1]" = "_subscriptions" ]; then _subscriptions "$@"; else compdef _subscriptions subscriptions; fi
`
}

function fish(nodes: readonly CommandNode[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`
  const seenConditions = (path: string) => path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
  const lines = ['# fish completion for subscriptions']
  for (const { path, children, options } of nodes) {
    const pathConditions = path === '' ? [] : seenConditions(path)
    const noChildConditions =
      children.length === 0 ? [] : [`not __fish_seen_subcommand_from ${children.map(({ name }) => name).join(' ')}`]
    const conditionArgument = (conditions: string[]) =>
      conditions.length > 0 ? ` -n ${quoted(conditions.join('; and '))}` : ''
    for (const { name, summary } of children) {
      lines.push(
        `complete -c subscriptions -f${conditionArgument([...pathConditions, ...noChildConditions])} -a ${name} -d ${quoted(summary)}`,
      )
    }
    for (const option of options) {
      const value = valueKind(option)
      const words = value === 'handles' ? `(${handlesCommand})` : Array.isArray(value) ? value.join(' ') : undefined
      const valueArgument =
        value === undefined ? '' : value === 'files' ? ' -r' : ` -x${words ? ` -a ${quoted(words)}` : ''}`
      const short = option.short ? ` -s ${option.short.slice(1)}` : ''
      lines.push(
        `complete -c subscriptions${conditionArgument(pathConditions)} -l ${option.long?.slice(2)}${short}${valueArgument} -d ${quoted(option.description)}`,
      )
    }
  }
  lines.push(
    `complete -c subscriptions -f -n ${quoted(seenConditions('publications show').join('; and '))} -a ${quoted(`(${handlesCommand})`)}`,
  )
  return `${lines.join('\n')}\n`
}

function powershell(nodes: readonly CommandNode[]): string {
  const list = (words: readonly string[]) => `@(${words.map((word) => `'${word}'`).join(', ')})`
  const values = flagsWithValue(nodes).filter(({ value }) => value !== 'files')
  return `# PowerShell completion for subscriptions
Register-ArgumentCompleter -Native -CommandName subscriptions -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $nodes = @{
${nodes.map((node) => `    '${node.path}' = ${list(completionsAt(node))}`).join('\n')}
  }
  $values = @{
${values.flatMap(({ path, names, value }) => names.map((name) => `    '${`${path ?? ''} ${name}`.trim()}' = ${value === 'handles' ? "'handles'" : value === 'none' ? '@()' : list(value as string[])}`)).join('\n')}
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '' -and $typed.Count -gt 0) { $typed = @($typed | Select-Object -SkipLast 1) }
  $at = ''
  foreach ($word in $typed) {
    $next = "$at $word".Trim()
    if ($nodes.ContainsKey($next)) { $at = $next }
  }
  $words = $nodes[$at]
  if ($at -eq 'publications show') { $words += @(subscriptions completion handles 2>$null) }
  if ($typed.Count -gt 0) {
    foreach ($flag in @($typed[-1], "$at $($typed[-1])".Trim())) {
      if ($values.ContainsKey($flag)) { $words = $values[$flag] }
    }
  }
  if ($words -is [string]) { $words = @(subscriptions completion handles 2>$null) }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
