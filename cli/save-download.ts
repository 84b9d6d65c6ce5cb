import type { CliOutput } from './cli-output.ts'
import { checkTarget, defaultTarget, outputTarget, saveOutput } from './save-output.ts'
import type { Session } from './session.ts'

/** Makes a file and saves it under the name of --output, to stdout in a pipe, or under its default name in the current directory. */
export async function saveDownload<Download extends { fileName: string; chunks: AsyncIterable<string | Buffer> }>(
  cliOutput: CliOutput,
  { as, output }: { as: string | undefined; output: string | undefined },
  make: (session: Session, isPipe: boolean) => Promise<Download>,
): Promise<{ download: Download; file: string | null }> {
  const requested = outputTarget(cliOutput, output)
  if (requested) await checkTarget(requested)
  const { withSession } = await import('./session.ts')
  return withSession(cliOutput, as === undefined ? {} : { as }, async (session) => {
    const download = await make(session, requested?.kind === 'stdout')
    const target = requested ?? defaultTarget(cliOutput, download.fileName)
    await checkTarget(target)
    await saveOutput(cliOutput, target, download.chunks)
    return { download, file: target.kind === 'file' ? target.path : null }
  })
}
