import { z } from 'zod'
import { unknownIssueMessage } from '../back-issues/issue-problems.rules.ts'
import { english, phraseOf } from '../kernel/phrases.ts'
import {
  addressFields,
  deliversSomewhere,
  emailsMatch,
  orderFields,
  passwordsMatch,
  postCodeExists,
} from './order-form.input.ts'
import { orderTexts } from './order-form-problems.rules.ts'

/** More than any publication has, and few enough for one form. */
const maxIssues = 100

const tooManyIssues = phraseOf('Choose {max} issues at most', { max: maxIssues })

const IssueId = z.coerce.number(unknownIssueMessage).int(unknownIssueMessage).positive(unknownIssueMessage)

/** An order of back issues as a storefront or the API submits it: one copy of each that is named. */
export const PlaceBackIssueOrderInput = z
  .object({
    ...orderFields,
    ...addressFields({ needsCity: false }),
    backIssues: z
      .array(IssueId, orderTexts.noIssue)
      .transform((ids) => [...new Set(ids)].sort((a, b) => a - b))
      .refine((ids) => ids.length > 0, orderTexts.noIssue)
      .refine((ids) => ids.length <= maxIssues, { error: english(tooManyIssues), params: { phrase: tooManyIssues } }),
  })
  .refine(...emailsMatch)
  .refine(...passwordsMatch)
  .superRefine(...deliversSomewhere({ needsCity: false }))
  .superRefine(...postCodeExists)

export type PlaceBackIssueOrderInput = z.output<typeof PlaceBackIssueOrderInput>
