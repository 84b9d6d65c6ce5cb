import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { layoutsOf, type StoredLayout } from './layout-row.ts'

/** The layouts of a publication's mailing file: the standard one, then by name. */
export const listLayouts = useCase({
  permission: 'mailing-layout:read',
  input: z.object(publicationRef).refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<StoredLayout[]> {
    return layoutsOf(ctx, await ownPublication(ctx, publicationOf(input)))
  },
})
