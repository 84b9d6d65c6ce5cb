import type { Challenge } from 'altcha-lib'
import { z } from 'zod'
import { makeCaptcha } from '../rate-limits/captcha.ts'
import { useCase } from '../use-case.ts'

/** A fresh puzzle for the contact form's browser. Nothing is stored: making one costs us a thousandth of what solving it costs the caller. */
export const getCaptcha = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  run: (ctx): Promise<Challenge> => makeCaptcha(ctx, 'contact'),
})
