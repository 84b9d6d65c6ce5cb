import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { namesPublication, publicationOf, whichPublication } from '../publications/which-publication.input.ts'
import { useCase } from '../use-case.ts'
import { countOf } from '../warnings/count-warnings.query.ts'
import { type FixableField, type FixKind, fixKindNames, fixKinds, fixOf } from './fix-kinds.ts'
import { fixableRows } from './fixable-rows.query.ts'

interface FixSample {
  id: number
  uniqueReference: string
  /** What the fix may change, as it is and as it would be. */
  before: Partial<Record<FixableField, string>>
  after: Partial<Record<FixableField, string>>
}

export interface FixPreview {
  kind: FixKind
  /** Readers in the list. */
  total: number
  /** How many of them were looked at, the first ones. */
  looked: number
  /** Of those: how many can be put right, and how many are left alone. */
  fixable: number
  leftAlone: number
  samples: FixSample[]
}

const samplesShown = 10
const chunk = 1000

/** What a fix would change, with the first ten before and after. Looks at `most` readers of the list, all of them with null. */
export const previewFix = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...whichPublication,
      publicationId: z.coerce.number('Required').int().optional(),
      kind: z.enum(fixKindNames, 'Choose what to put right'),
      most: z.number().int().min(1).nullable().default(5000),
    })
    .refine(namesPublication, 'Name the publication'),
  transaction: 'none',
  async run(ctx, input): Promise<FixPreview> {
    const { kind } = input
    const { id: publicationId } = await ownPublication(ctx, publicationOf(input))
    const { list, fields } = fixKinds[kind]
    const preview: FixPreview = { kind, total: 0, looked: 0, fixable: 0, leftAlone: 0, samples: [] }
    preview.total = await countOf(ctx, publicationId, list)
    const most = input.most ?? Number.MAX_SAFE_INTEGER
    let after = 0
    while (preview.looked < most) {
      const limit = Math.min(chunk, most - preview.looked)
      const rows = await fixableRows(ctx, { publicationId, kind, after, limit })
      for (const row of rows) {
        const changed = fixOf(kind, row)
        preview.looked++
        if (!changed) preview.leftAlone++
        else {
          preview.fixable++
          if (preview.samples.length < samplesShown) {
            const before = Object.fromEntries(fields.map((field) => [field, row[field]]))
            const { id, uniqueReference } = row
            preview.samples.push({ id, uniqueReference, before, after: { ...before, ...changed } })
          }
        }
      }
      after = rows.at(-1)?.id ?? after
      if (rows.length < limit) break
    }
    return preview
  },
})
