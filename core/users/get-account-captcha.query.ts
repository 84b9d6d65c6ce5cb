import type { Challenge } from 'altcha-lib'
import { z } from 'zod'
import { makeCaptcha } from '../rate-limits/captcha.ts'
import { useCase } from '../use-case.ts'

/** A new captcha for a log-in or a password reset, for staff and buyers. Nothing is stored. */
export const getAccountCaptcha = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  run: (ctx): Promise<Challenge> => makeCaptcha(ctx, 'account'),
})
