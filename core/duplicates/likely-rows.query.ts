import { z } from 'zod'
import { asJson } from '../database.ts'
import { likelyFrom } from '../likely/group-pairs.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { searchesOf } from './likely-search-row.ts'

/** A group for scripts and files: its readers, its confidence, and the reasons. */
export interface LikelyRow {
  id: number
  confidence: number
  readers: { id: number; uniqueReference: string; name: string; postCode: string; fit: number; reasons: string[] }[]
}

const chunkSize = 500

/** Every open group of the last search of at least this confidence, the most certain first, read lazily. */
export const likelyRows = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.number().int(), min: z.number().min(0).max(1).default(likelyFrom) }),
  transaction: 'none',
  async run(ctx, { publicationId, min }): Promise<AsyncIterable<LikelyRow>> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const { shown } = await searchesOf(ctx, publication.id)
    return rows(shown?.id ?? 0)

    async function* rows(searchId: number): AsyncGenerator<LikelyRow> {
      let last = { confidence: 2, id: 0 }
      for (;;) {
        const groups = await ctx.db.query<{ id: number; confidence: number }>(
          `SELECT id, confidence FROM likely_groups WHERE search_id = :searchId AND state = 'open' AND confidence >= :min
             AND (confidence, id) < (:confidence, :id)
           ORDER BY confidence DESC, id DESC LIMIT ${chunkSize}`,
          { searchId, min, ...last },
        )
        const lastGroup = groups.at(-1)
        if (!lastGroup) return
        const members = await membersOf(groups.map(({ id }) => id))
        for (const { id, confidence } of groups) yield { id, confidence, readers: members.get(id) ?? [] }
        last = { confidence: lastGroup.confidence, id: lastGroup.id }
      }
    }

    async function membersOf(ids: number[]): Promise<Map<number, LikelyRow['readers']>> {
      const members = await ctx.db.query<Record<string, string | number>>(
        `SELECT m.group_id, m.reader_id, m.fit, m.reasons, r.unique_reference, r.title, r.first_name, r.last_name, r.full_name,
                r.company_name, r.post_code
         FROM likely_members m JOIN readers r ON r.id = m.reader_id WHERE m.group_id IN (:ids) ORDER BY m.id`,
        { ids },
      )
      const groups = new Map<number, LikelyRow['readers']>()
      for (const row of members) {
        const group = groups.get(Number(row.group_id)) ?? []
        groups.set(Number(row.group_id), group)
        group.push({
          id: Number(row.reader_id),
          uniqueReference: String(row.unique_reference),
          name: nameOf(row),
          postCode: String(row.post_code),
          fit: Number(row.fit),
          reasons: asJson<string[]>(row.reasons),
        })
      }
      return groups
    }
  },
})

function nameOf(row: Record<string, string | number>): string {
  const name = row.full_name || [row.title, row.first_name, row.last_name].filter(Boolean).join(' ')
  return String(name || row.company_name)
}
