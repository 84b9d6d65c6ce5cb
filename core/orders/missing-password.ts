import { needsPassword } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import { isWallet } from './order-form.input.ts'

/** A password is required of every buyer who needs one; it is reported together with the other missing fields. */
export function missingPassword(ctx: AppContext, raw: Record<string, unknown>): FieldErrors {
  return !raw.password && needsPassword(ctx, { isWallet: isWallet(raw) }) ? { password: 'Required' } : {}
}
