import { z } from 'zod'

/** A password to log in with: the limit keeps the cost of checking it low. */
export const LogInPassword = z.string('Required').min(1, 'Required').max(200, 'Must be 200 characters or fewer')

/** The password that somebody who is logged in confirms a change with. */
export const CurrentPassword = z
  .string('Enter your current password')
  .min(1, 'Enter your current password')
  .max(200, 'Must be 200 characters or fewer')
