import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { namesPublication, publicationOf, whichPublication } from '../publications/which-publication.input.ts'
import { useCase } from '../use-case.ts'
import { layoutsOf, type StoredLayout } from './layout-row.ts'

/** The layouts of a publication's mailing file: the standard one, then by name. */
export const listLayouts = useCase({
  permission: 'mailing-layout:read',
  input: z.object(whichPublication).refine(...namesPublication),
  transaction: 'none',
  async run(ctx, input): Promise<StoredLayout[]> {
    return layoutsOf(ctx, await ownPublication(ctx, publicationOf(input)))
  },
})
