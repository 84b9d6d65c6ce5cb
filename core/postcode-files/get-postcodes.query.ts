import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { type PostcodeFileView, postcodeFiles, postcodeFileView } from './postcode-file-row.ts'

/** The postcode files of a publication: the one its readers are compared with, and the newest, which may still be importing. */
export const getPostcodes = useCase({
  permission: 'reader:import',
  input: z.object(publicationRef).refine(...hasPublicationRef),
  transaction: 'none',
  async run(
    ctx,
    reference,
  ): Promise<{
    publicationId: number
    publicationName: string
    urlKey: string
    live: PostcodeFileView | null
    latest: PostcodeFileView | null
  }> {
    const { id, publicationName, urlKey } = await ownPublication(ctx, publicationOf(reference))
    const [latest] = await postcodeFiles(ctx.db, 'f.publication_id = :id ORDER BY f.id DESC LIMIT 1', { id })
    const [live] = await postcodeFiles(ctx.db, 'f.publication_id = :id AND f.is_live = :yes', { id, yes: true })
    return {
      publicationId: id,
      publicationName,
      urlKey,
      live: live ? postcodeFileView(live) : null,
      latest: latest ? postcodeFileView(latest) : null,
    }
  },
})

/** How many postcodes a publication's readers are compared with, and since when: null without a file of its own. */
export const postcodeCount = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<{ codes: number; since: Date } | null> {
    const { id } = await ownPublication(ctx, { id: publicationId })
    const [live] = await postcodeFiles(ctx.db, 'f.publication_id = :id AND f.is_live = :yes', { id, yes: true })
    if (!live) return null
    const { codes, finishedAt, startedAt } = postcodeFileView(live)
    return { codes, since: finishedAt ?? startedAt }
  },
})
