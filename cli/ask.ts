import { interrupted, wrongUse } from './cli-error.ts'
import { readHiddenLine, readLine } from './read-line.ts'
import { printable } from './style.ts'
import type { Talk } from './talk.ts'

interface Choice {
  name: string
  value: string
}

/** Lets the person pick one of a list: with the arrow keys, or by its number where the terminal is to stay plain. */
export async function pick(talk: Talk, question: string, choices: readonly Choice[]): Promise<string> {
  const shown = choices.map(({ name, value }) => ({ name: printable(name), value }))
  if (!talk.err.isPlain) {
    const { answer } = await (await prompt(talk))([
      { type: 'select', name: 'answer', message: question, choices: shown },
    ])
    return answer as string
  }
  for (const [at, { name }] of shown.entries()) talk.io.stderr.write(`${String(at + 1).padStart(3)}  ${name}\n`)
  return typed(talk, `${question} Number: `, (answer) => {
    const chosen = shown[Number(answer) - 1] ?? shown.find(({ value }) => value.toLowerCase() === answer.toLowerCase())
    return chosen?.value
  })
}

/** Asks y/N on a terminal; where nobody can answer, the flag has to say it. */
export async function confirm(talk: Talk, question: string, isYes: boolean | undefined): Promise<boolean> {
  if (isYes) return true
  if (!talk.canAsk()) throw wrongUse('this needs a yes, and nobody can be asked here', 'say it with --yes')
  if (talk.err.isPlain) return typed(talk, `${question} (y/N) `, (answer) => /^y(es)?$/i.test(answer))
  const { answer } = await (await prompt(talk))([
    { type: 'confirm', name: 'answer', message: question, default: false },
  ])
  return answer as boolean
}

async function prompt({ io }: Talk) {
  const { createPromptModule } = (await import('inquirer')).default
  return createPromptModule({ input: io.stdin, output: io.stderr })
}

/** Asks for a line of text that must not be empty. */
export async function askText(talk: Talk, question: string): Promise<string> {
  if (talk.err.isPlain) return typed(talk, `${question}: `, (answer) => answer || undefined)
  const { answer } = await (await prompt(talk))([
    {
      type: 'input',
      name: 'answer',
      message: `${question}:`,
      validate: (text: string) => text.trim() !== '' || 'Please type something',
    },
  ])
  return (answer as string).trim()
}

/** Asks for a new password, unseen, twice; until both are the same. */
export async function askNewPassword(talk: Talk, question: string): Promise<string> {
  while (true) {
    const password = await unseen(talk, question)
    if ((await unseen(talk, 'The same again')) === password) return password
    talk.warn('The two are not the same. Please type both again.')
  }
}

async function unseen(talk: Talk, question: string): Promise<string> {
  if (!talk.err.isPlain) {
    const { answer } = await (await prompt(talk))([
      { type: 'password', name: 'answer', message: `${question}:`, toggleMask: false },
    ])
    return answer as string
  }
  talk.io.stderr.write(`${question}: `)
  const answer = await readHiddenLine(talk.io)
  if (answer === undefined) throw unanswered(talk)
  return answer
}

/** Asks by plain lines until one is understood. */
async function typed<Answer>(
  talk: Talk,
  question: string,
  understand: (text: string) => Answer | undefined,
): Promise<Answer> {
  const { io } = talk
  while (true) {
    io.stderr.write(question)
    const text = await readLine(io)
    if (text === undefined) break
    const answer = understand(text.trim())
    if (answer !== undefined) return answer
  }
  io.stderr.write('\n')
  throw unanswered(talk)
}

function unanswered({ io }: Talk): Error {
  return io.signal.aborted ? interrupted() : wrongUse('no answer came', 'say it with a flag')
}
