import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { notFound } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { recheckPostCodes } from '../readers/recheck-post-codes.ts'
import { useCase } from '../use-case.ts'
import { dropOrphanedPostcodes } from './import-postcodes.ts'
import { PostcodeFiles } from './postcode-files.rows.ts'

/**
 * Removes a publication's postcode file: only the rule then decides which postcodes are valid. Returns how many readers changed. Completes a removal
 * whose process ended in the middle.
 */
export const removePostcodes = useCase({
  permission: 'reader:import',
  input: z.object(publicationRef).refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, reference): Promise<{ codes: number; changed: number }> {
    const { id, publisherId } = await ownPublication(ctx, publicationOf(reference))
    const codes = await ctx.db.transaction(async () => {
      const liveFile = await PostcodeFiles.find(ctx, { publicationId: id, isLive: true }, { isLocked: true })
      if (!liveFile) return null
      await PostcodeFiles.update(ctx, { id: liveFile.id }, { isLive: false })
      await recordAudit(ctx, 'remove-postcodes', { type: 'publication', id, publisherId }, { codes: liveFile.codes })
      return liveFile.codes
    })
    const changed = await recheckPostCodes(ctx.db, { publicationId: id })
    await dropOrphanedPostcodes(ctx, id)
    if (codes === null && changed === 0) throw notFound('The postcode file', 'This publication has none.')
    return { codes: codes ?? 0, changed }
  },
})
