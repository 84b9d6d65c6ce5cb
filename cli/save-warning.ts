import { countOf } from '#core/kernel/words.ts'
import { exportWarning } from '#core/warnings/export-warning.ts'
import { checkTarget, outputTarget, saveOutput, usualTarget } from './save-output.ts'
import type { Session } from './session.ts'
import type { Talk } from './talk.ts'

/** Writes the readers of a warning as CSV to where it was asked for. */
export async function saveWarning(
  talk: Talk,
  { ctx }: Session,
  { urlKey, list, output }: { urlKey: string; list: string; output: string | undefined },
): Promise<number> {
  const asked = outputTarget(talk, output)
  const file = await exportWarning(ctx, { urlKey, list, bom: asked?.kind !== 'stdout' })
  const target = asked ?? usualTarget(talk, file.fileName)
  await checkTarget(target)
  await saveOutput(talk, target, file.chunks)
  const path = target.kind === 'file' ? target.path : null
  if (talk.flags.json) await talk.json({ publication: urlKey, list, file: path, readers: file.total })
  else talk.say(`${talk.err.done} Wrote ${countOf(file.total, 'reader')} of ${urlKey}${path ? ` to ${path}` : ''}`)
  return 0
}
