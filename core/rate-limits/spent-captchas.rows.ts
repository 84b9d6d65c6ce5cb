import type { AppContext } from '../context.ts'
import { defineTable, id, instant, text } from '../table.ts'

/** Captchas that were taken, by the hash of their signature, until their own end. */
export const SpentCaptchas = defineTable('spent_captchas', {
  id: id(),
  challengeHash: text(),
  expiresAt: instant(),
})

/** Forgets the captchas that are over anyway. */
export function clearSpentCaptchas(ctx: AppContext): Promise<number> {
  return ctx.db.run(`DELETE FROM spent_captchas WHERE expires_at < :now`, { now: ctx.now() })
}
