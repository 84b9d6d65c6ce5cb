import { z } from 'zod'
import { addressFields, deliversSomewhere, emailsMatch, orderFields } from './order-form.input.ts'

/** More than any publication has, and few enough to be posted. */
const mostIssues = 100

const issueId = z.coerce.number().int().positive()

/** An order of back issues as a storefront or the API hands it in: one copy of each that is named. */
export const PlaceBackIssueOrderInput = z
  .object({
    ...orderFields,
    ...addressFields({ needsCity: false }),
    backIssues: z
      .union([z.array(issueId), issueId.transform((id) => [id])], 'Choose at least one issue')
      .transform((ids) => [...new Set(ids)].sort((a, b) => a - b))
      .refine((ids) => ids.length > 0, 'Choose at least one issue')
      .refine((ids) => ids.length <= mostIssues, `Choose ${mostIssues} issues at most`),
  })
  .refine(...emailsMatch)
  .refine(...deliversSomewhere)

export type PlaceBackIssueOrderInput = z.output<typeof PlaceBackIssueOrderInput>
