import { needsPassword } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import { isWallet } from './order-form.input.ts'

/** The password problem belongs to the form of every buyer who needs one; reported together with what else is missing. */
export function missingPassword(ctx: AppContext, raw: Record<string, unknown>): FieldErrors {
  return !raw.password && needsPassword(ctx, { isWallet: isWallet(raw) }) ? { password: 'Required' } : {}
}
