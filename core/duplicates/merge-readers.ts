import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { mergeGroup, planMerge } from './merge-group.ts'
import { type MergeChoice, type MergedFields, mergeChoices } from './merge-records.rules.ts'

const readerId = z.coerce.number('Must be a reader').int('Must be a reader')

export interface MergeOutcome {
  /** Null in a dry run. */
  mergeId: number | null
  survivorId: number
  removed: number
  /** How many automatic renewals the merge ends. */
  renewalsEnded: number
  /** The survivor's fields after the merge. */
  fields: MergedFields
}

/**
 * Merges several readers of a publication. The survivor is the one with the longest paid subscription unless `survivorId` names another; `choices`
 * names, per field, the reader to take it from; `renewalOf` names the reader whose automatic renewal stays when several have one. `undoMerge` reverts
 * it.
 */
export const mergeReaders = useCase({
  permission: 'reader:write',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    readerIds: z
      .array(readerId)
      .min(2, 'Choose at least two readers')
      .max(60, 'At most 60 readers at a time')
      .refine((ids) => new Set(ids).size === ids.length, 'Choose each reader only once'),
    survivorId: readerId.optional(),
    renewalOf: readerId.optional(),
    choices: z.partialRecord(z.enum(mergeChoices), readerId).default({}),
    versions: z.record(z.string(), z.coerce.number().int()).optional(),
    groupId: z.coerce.number().int().optional(),
    dryRun: z.boolean().default(false),
  }),
  async run(ctx, input): Promise<MergeOutcome> {
    const publication = await ownPublication(ctx, { id: input.publicationId })
    const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
    const request = {
      publicationId: publication.id,
      homeCountry,
      readerIds: input.readerIds,
      survivorId: input.survivorId,
      renewalOf: input.renewalOf,
      choices: input.choices as Partial<Record<MergeChoice, number>>,
      ...(input.versions
        ? { versions: new Map(Object.entries(input.versions).map(([id, version]) => [Number(id), version])) }
        : {}),
      groupId: await groupOf(input.groupId, publication.id),
    }
    const { survivor, others, fields, renewalsEnding } = await planMerge(ctx, request)
    if (input.dryRun) {
      const counts = { removed: others.length, renewalsEnded: renewalsEnding.length }
      return { mergeId: null, survivorId: survivor.id, ...counts, fields }
    }
    const merged = await mergeGroup(ctx, request)
    const subject = { type: 'reader', id: merged.survivorId, publisherId: publication.publisherId }
    await recordAudit(ctx, 'merge-readers', subject, {
      merge: merged.mergeId,
      removed: merged.removed,
      ...(merged.renewalsEnded > 0 ? { renewalsEnded: merged.renewalsEnded } : {}),
    })
    return { ...merged, fields }

    async function groupOf(groupId: number | undefined, publicationId: number): Promise<number | null> {
      if (groupId === undefined) return null
      const [group] = await ctx.db.query<{ id: number }>(
        `SELECT id FROM likely_groups WHERE id = :groupId AND publication_id = :publicationId`,
        { groupId, publicationId },
      )
      return group?.id ?? null
    }
  },
})
