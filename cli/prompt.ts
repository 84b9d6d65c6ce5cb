import { interrupted, usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { readHiddenLine, readLine } from './read-line.ts'
import { printable } from './style.ts'

interface Choice {
  name: string
  value: string
}

/** Lets the user pick from a list: with the arrow keys, or by number on a plain terminal. */
export async function pick(cliOutput: CliOutput, question: string, choices: readonly Choice[]): Promise<string> {
  const printableChoices = choices.map(({ name, value }) => ({ name: printable(name), value }))
  if (!cliOutput.err.isPlain) {
    const { answer } = await (await prompt(cliOutput))([
      { type: 'select', name: 'answer', message: question, choices: printableChoices },
    ])
    return answer as string
  }
  for (const [at, { name }] of printableChoices.entries())
    cliOutput.io.stderr.write(`${String(at + 1).padStart(3)}  ${name}\n`)
  return promptPlain(cliOutput, `${question} Number: `, (answer) => {
    const chosen =
      printableChoices[Number(answer) - 1] ??
      printableChoices.find(({ value }) => value.toLowerCase() === answer.toLowerCase())
    return chosen?.value
  })
}

/** Asks y/N on a terminal; without one, --yes is required. */
export async function confirm(
  cliOutput: CliOutput,
  question: string,
  isConfirmed: boolean | undefined,
): Promise<boolean> {
  if (isConfirmed) return true
  if (!cliOutput.canPrompt())
    throw usageError('this needs confirmation, and there is no terminal to ask on', 'confirm with --yes')
  if (cliOutput.err.isPlain) return promptPlain(cliOutput, `${question} (y/N) `, (answer) => /^y(es)?$/i.test(answer))
  const { answer } = await (await prompt(cliOutput))([
    { type: 'confirm', name: 'answer', message: question, default: false },
  ])
  return answer as boolean
}

async function prompt({ io }: CliOutput) {
  const { createPromptModule } = (await import('inquirer')).default
  return createPromptModule({ input: io.stdin, output: io.stderr })
}

/** Asks for a line of text that must not be empty. */
export async function promptText(cliOutput: CliOutput, question: string): Promise<string> {
  if (cliOutput.err.isPlain) return promptPlain(cliOutput, `${question}: `, (answer) => answer || undefined)
  const { answer } = await (await prompt(cliOutput))([
    {
      type: 'input',
      name: 'answer',
      message: `${question}:`,
      validate: (text: string) => text.trim() !== '' || 'Please enter a value',
    },
  ])
  return (answer as string).trim()
}

/** Asks for a new password twice, without echo, until both match. */
export async function promptNewPassword(cliOutput: CliOutput, question: string): Promise<string> {
  while (true) {
    const password = await promptHidden(cliOutput, question)
    if ((await promptHidden(cliOutput, 'Repeat the password')) === password) return password
    cliOutput.warn('The passwords do not match. Please type both again.')
  }
}

async function promptHidden(cliOutput: CliOutput, question: string): Promise<string> {
  if (!cliOutput.err.isPlain) {
    const { answer } = await (await prompt(cliOutput))([
      { type: 'password', name: 'answer', message: `${question}:`, toggleMask: false },
    ])
    return answer as string
  }
  cliOutput.io.stderr.write(`${question}: `)
  const answer = await readHiddenLine(cliOutput.io)
  if (answer === undefined) throw unanswered(cliOutput)
  return answer
}

/** Asks on a plain terminal until the answer is valid. */
async function promptPlain<Answer>(
  cliOutput: CliOutput,
  question: string,
  parse: (text: string) => Answer | undefined,
): Promise<Answer> {
  const { io } = cliOutput
  while (true) {
    io.stderr.write(question)
    const text = await readLine(io)
    if (text === undefined) break
    const answer = parse(text.trim())
    if (answer !== undefined) return answer
  }
  io.stderr.write('\n')
  throw unanswered(cliOutput)
}

function unanswered({ io }: CliOutput): Error {
  return io.signal.aborted ? interrupted() : usageError('there was no answer', 'answer with a flag')
}
