import type { AppContext } from '../context.ts'
import { defineTable, instant, text } from '../table.ts'

/** When the next email may be sent to a recipient domain, or to any domain (`*`): shared by all processes. */
export const MailPace = defineTable('mail_pace', {
  scope: text(),
  nextAt: instant(),
})

/** Unused capacity of the last seconds may be sent immediately: a worker polls for jobs once a second. */
const creditMs = 2_000
/** How long a slot is valid: emails whose slots passed while the server was away are not sent all together. */
const slotMs = 60_000

interface WaitForSlot {
  until: Date
  /** No other email of the lane may be sent before then either. */
  forLane: boolean
  /** Its slot among the emails to its domain. */
  slotAt: Date | null
}

/**
 * Null if the installation's rate limits allow an email to be sent now; else until when it has to wait. Its slot at its
 * domain is assigned once and in order, so that many emails to one domain are not checked over and over.
 */
export async function takeSlot(
  ctx: AppContext,
  { toAddress, slotAt, isUrgent }: { toAddress: string; slotAt: Date | null; isUrgent: boolean },
): Promise<WaitForSlot | null> {
  const { perMinute, perMinutePerDomain } = ctx.settings.mailPace
  const domain = toAddress
    .slice(toAddress.lastIndexOf('@') + 1)
    .replace(/[>\s]+$/, '')
    .toLowerCase()
  if (isUrgent) {
    // Waiting emails may have taken the slots of a whole day. An urgent one is sent before its slot; those that take a slot after it wait longer.
    if (perMinutePerDomain !== null) await nextSlot(ctx, domain, perMinutePerDomain)
    if (perMinute !== null) await nextSlot(ctx, '*', perMinute)
    return null
  }
  const now = ctx.now()
  const hasSlot = slotAt !== null && slotAt <= now && slotAt.getTime() > now.getTime() - slotMs
  let slot = slotAt
  if (perMinutePerDomain !== null && !hasSlot) {
    slot = await nextSlot(ctx, domain, perMinutePerDomain)
    if (slot > now) return { until: slot, forLane: false, slotAt: slot }
  }
  if (perMinute === null) return null
  const next = await takeSlotNow(ctx, '*', perMinute)
  return next && { until: next, forLane: true, slotAt: slot }
}

/** Takes the next slot of a scope, now or later. */
function nextSlot(ctx: AppContext, scope: string, perMinute: number): Promise<Date> {
  return ctx.db.transaction(async () => {
    const now = ctx.now().getTime()
    const slot = Math.max((await paceOf(ctx, scope)).getTime(), now)
    await MailPace.update(ctx, { scope }, { nextAt: new Date(slot + 60_000 / perMinute) })
    return new Date(slot)
  })
}

/** Takes a slot if there is one now and returns null; else returns when the next one is. */
function takeSlotNow(ctx: AppContext, scope: string, perMinute: number): Promise<Date | null> {
  return ctx.db.transaction(async () => {
    const now = ctx.now().getTime()
    const next = Math.max((await paceOf(ctx, scope)).getTime(), now - creditMs)
    if (next > now) return new Date(next)
    await MailPace.update(ctx, { scope }, { nextAt: new Date(next + 60_000 / perMinute) })
    return null
  })
}

async function paceOf(ctx: AppContext, scope: string): Promise<Date> {
  await MailPace.insertNew(ctx, { scope, nextAt: ctx.now() })
  const row = await MailPace.find(ctx, { scope }, { isLocked: true })
  return row?.nextAt ?? ctx.now()
}

/** Deletes the domains that no email waits for. */
export function clearMailPace(ctx: AppContext): Promise<number> {
  return ctx.db.run(`DELETE FROM mail_pace WHERE next_at < :before`, {
    before: new Date(ctx.now().getTime() - 3_600_000),
  })
}
