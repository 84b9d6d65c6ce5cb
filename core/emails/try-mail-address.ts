import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { lockedMark } from '../bounces/address-marks.rows.ts'
import { resetMark } from '../bounces/try-address-again.ts'
import { emailKey } from '../kernel/search-keys.rules.ts'
import { useCase } from '../use-case.ts'
import { addressProblem } from './mail-log.query.ts'
import { ownEmail } from './own-email.ts'

/**
 * Lets emails be sent again to the address of an email of the log, until one bounces. It need not be the address of a reader's record or of a user:
 * an order may have been placed with any address. `changed` is false if nothing kept emails from being sent there.
 */
export const tryMailAddress = useCase({
  permission: 'mail:resend',
  input: z.object({ id: z.coerce.number('The email was not found').int() }),
  async run(ctx, { id }): Promise<{ to: string; changed: boolean }> {
    const { row, publisherId } = await ownEmail(ctx, id)
    const { toAddress: to, publicationId } = row
    if ((await addressProblem(ctx, row)) === null) return { to, changed: false }
    await resetMark(ctx, await lockedMark(ctx, { publisherId, addressKey: emailKey(to.trim()) }))
    const subject = { type: 'publication', id: publicationId, publisherId }
    await recordAudit(ctx, 'try-address', subject, { emailId: id })
    return { to, changed: true }
  },
})
