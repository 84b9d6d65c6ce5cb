import { notFound } from '../kernel/errors.ts'
import type { Coupon } from '../ports/plan-billing.ts'
import { useCase } from '../use-case.ts'
import { CouponInput } from './signup.input.ts'
import { planBillingOf, usableCoupon } from './signup-billing.ts'
import { countSignUpAttempt } from './signup-problems.ts'

/** The coupon of a code that was entered at the plan step. */
export const checkCoupon = useCase({
  permission: 'public',
  input: CouponInput,
  transaction: 'none',
  async run(ctx, { code }): Promise<Coupon> {
    await countSignUpAttempt(ctx, 'coupon')
    const coupon = await usableCoupon(planBillingOf(ctx), code)
    if (!coupon) throw notFound('The coupon')
    return coupon
  },
})
