import type { AppContext } from '../context.ts'
import { removedReaderDays } from './remove-reader.ts'

/** Forgets readers that were removed too long ago to be brought back. Gives how many. */
export function clearRemovedReaders(ctx: AppContext): Promise<number> {
  const before = new Date(ctx.now().getTime() - removedReaderDays * 86_400_000)
  return ctx.db.run(`DELETE FROM removed_readers WHERE removed_at < :before`, { before })
}
