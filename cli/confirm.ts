import { wrongUse } from './cli-error.ts'
import type { Talk } from './talk.ts'

/** Asks y/N on a terminal; where nobody can answer, the flag has to say it. */
export async function confirm(talk: Talk, question: string, isYes: boolean | undefined): Promise<boolean> {
  if (isYes) return true
  if (!talk.canAsk()) throw wrongUse(`${question.replace(/\?$/, '')} needs a yes`, 'say it with --yes')
  const { createPromptModule } = (await import('inquirer')).default
  const ask = createPromptModule({ input: talk.io.stdin, output: talk.io.stderr })
  const { answer } = await ask([{ type: 'confirm', name: 'answer', message: question, default: false }])
  return answer as boolean
}
