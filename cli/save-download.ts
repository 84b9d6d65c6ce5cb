import type { CliOutput } from './cli-output.ts'
import { checkTarget, outputTarget, saveOutput, usualTarget } from './save-output.ts'
import type { Session } from './session.ts'

/** Makes a file and puts it where it was asked to go: a named file, stdout in a pipe, or its usual name here. */
export async function saveDownload<Made extends { fileName: string; chunks: AsyncIterable<string | Buffer> }>(
  cliOutput: CliOutput,
  { as, output }: { as: string | undefined; output: string | undefined },
  make: (session: Session, isPipe: boolean) => Promise<Made>,
): Promise<{ made: Made; file: string | null }> {
  const asked = outputTarget(cliOutput, output)
  if (asked) await checkTarget(asked)
  const { withSession } = await import('./session.ts')
  return withSession(cliOutput, as === undefined ? {} : { as }, async (session) => {
    const made = await make(session, asked?.kind === 'stdout')
    const target = asked ?? usualTarget(cliOutput, made.fileName)
    await checkTarget(target)
    await saveOutput(cliOutput, target, made.chunks)
    return { made, file: target.kind === 'file' ? target.path : null }
  })
}
