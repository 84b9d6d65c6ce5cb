import { z } from 'zod'
import { parseDay } from './dates.ts'

/** What is wrong with the first day of a range that ends before it. */
export const firstAfterLast = 'Enter a day that is not after the last day'

/** What is wrong with a text that is no date, and with a date such as 31/11/2026. */
export const notADay = 'Enter a day that exists, as DD/MM/YYYY'

/** A day as people and programs write it, for filters; blank means none. */
export const DayInput = z
  .string()
  .trim()
  .transform((text, context) => {
    if (text === '') return undefined
    const day = parseDay(text)
    if (day === null) context.addIssue({ code: 'custom', message: notADay })
    return day ?? z.NEVER
  })
  .optional()
