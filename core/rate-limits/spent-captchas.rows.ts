import type { AppContext } from '../context.ts'
import { defineTable, id, instant, text } from '../table.ts'

/** Used captchas, by the hash of their signature, until they expire. */
export const SpentCaptchas = defineTable('spent_captchas', {
  id: id(),
  challengeHash: text(),
  expiresAt: instant(),
})

/** Deletes expired captchas. */
export function clearSpentCaptchas(ctx: AppContext): Promise<number> {
  return ctx.db.run(`DELETE FROM spent_captchas WHERE expires_at < :now`, { now: ctx.now() })
}
