import type { Challenge } from 'altcha-lib'
import { z } from 'zod'
import { makeCaptcha } from '../rate-limits/captcha.ts'
import { useCase } from '../use-case.ts'

/** A new captcha for the contact form. Nothing is stored, and creating it takes a thousandth of the computing time that solving it takes. */
export const getCaptcha = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  run: (ctx): Promise<Challenge> => makeCaptcha(ctx, 'contact'),
})
