import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { layoutNamed, type StoredLayout } from './layout-row.ts'

/** One layout of a publication by its name, in any case. */
export const getLayout = useCase({
  permission: 'mailing-layout:read',
  input: z.object({ ...publicationRef, name: z.string().default('') }).refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<StoredLayout> {
    return layoutNamed(ctx, await ownPublication(ctx, publicationOf(input)), input.name)
  },
})
