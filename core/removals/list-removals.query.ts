import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { ownRemoval, type RemovalView, removalsWhere } from './removal-row.ts'

/** The last fifty removals of readers of a publication, the newest first. */
export const listRemovals = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<RemovalView[]> {
    const publication = await ownPublication(ctx, { id: publicationId })
    return removalsWhere(ctx, 'm.publication_id = :publicationId ORDER BY m.id DESC LIMIT 50', {
      publicationId: publication.id,
    })
  },
})

/** Whether the readers of a removal are being restored. */
export const isBeingRestored = useCase({
  permission: 'reader:import',
  input: z.object({ removalId: z.coerce.number('The removal was not found').int() }),
  transaction: 'none',
  async run(ctx, { removalId }): Promise<boolean> {
    const { removal } = await ownRemoval(ctx, removalId)
    return removal.state === 'restoring'
  },
})
