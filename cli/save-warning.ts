import { countOf } from '#core/kernel/text-format.ts'
import { exportWarning } from '#core/warnings/export-warning.ts'
import type { CliOutput } from './cli-output.ts'
import { checkTarget, defaultTarget, outputTarget, saveOutput } from './save-output.ts'
import type { Session } from './session.ts'

/** Writes the readers of a warning as CSV to the target. */
export async function saveWarning(
  cliOutput: CliOutput,
  { ctx }: Session,
  { urlKey, list, output }: { urlKey: string; list: string; output: string | undefined },
): Promise<number> {
  const requested = outputTarget(cliOutput, output)
  const file = await exportWarning(ctx, { urlKey, list, bom: requested?.kind !== 'stdout' })
  const target = requested ?? defaultTarget(cliOutput, file.fileName)
  await checkTarget(target)
  await saveOutput(cliOutput, target, file.chunks)
  const path = target.kind === 'file' ? target.path : null
  if (cliOutput.flags.json) await cliOutput.json({ publication: urlKey, list, file: path, readers: file.total })
  else
    cliOutput.say(
      `${cliOutput.err.done} Wrote ${countOf(file.total, 'reader')} of ${urlKey}${path ? ` to ${path}` : ''}`,
    )
  return 0
}
