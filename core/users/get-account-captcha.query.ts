import type { Challenge } from 'altcha-lib'
import { z } from 'zod'
import { makeCaptcha } from '../rate-limits/captcha.ts'
import { useCase } from '../use-case.ts'

/** A fresh puzzle for whoever is asked for one while logging in or asking for a new password, staff or reader. Nothing is stored. */
export const getAccountCaptcha = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  run: (ctx): Promise<Challenge> => makeCaptcha(ctx, 'account'),
})
