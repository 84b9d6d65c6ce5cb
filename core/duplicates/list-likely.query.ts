import { z } from 'zod'
import { asBoolean, asJson } from '../database.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { likelyFrom } from '../likely/group-pairs.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type MemberRow, memberColumns, memberJoins, memberView } from './group-members.query.ts'
import type { LikelyGroupView, LikelyMemberView } from './likely-group.rules.ts'
import { type LikelySearchView, searchesOf, searchView } from './likely-search-row.ts'

export interface LikelyList extends Page<LikelyGroupView> {
  publicationName: string
  /** The search that these groups come from; null before the first. */
  search: LikelySearchView | null
  /** The newest search, if it is a different one: waiting, running, failed or cancelled. */
  latest: LikelySearchView | null
  /** Readers were added since the search, and were not compared. */
  isOutOfDate: boolean
}

const notAConfidence = 'Must be a number from 0 to 1'

/** A page of the groups of readers that are likely to be the same reader, the most certain first, with all the data for choosing between them. */
export const listLikely = useCase({
  permission: 'reader:import',
  input: PageInput.extend({
    publicationId: z.coerce.number('Required').int(),
    groupId: z.coerce.number().int().optional(),
    /** Less certain groups, down to `listableFrom`, are listed on request. */
    min: z.coerce.number(notAConfidence).min(0, notAConfidence).max(1, notAConfidence).default(likelyFrom),
    /** Only groups of a lower confidence. */
    below: z.coerce.number(notAConfidence).min(0, notAConfidence).optional(),
  }),
  transaction: 'none',
  async run(ctx, input): Promise<LikelyList> {
    const { id: publicationId, publicationName } = await ownPublication(ctx, { id: input.publicationId })
    const { shown, latest } = await searchesOf(ctx, publicationId)
    const isOther = latest && latest.id !== shown?.id
    const searchInfo = {
      publicationName,
      search: shown ? searchView(shown) : null,
      latest: isOther ? searchView(latest) : null,
      isOutOfDate: false,
    }
    if (!shown) return { ...pageOf<LikelyGroupView>([], 0, input), ...searchInfo }
    const where = `search_id = :searchId AND state = 'open' AND confidence >= :min AND confidence < :below
      ${input.groupId === undefined ? '' : 'AND id = :groupId'}`
    const min = input.groupId === undefined ? input.min : 0
    const values = { searchId: shown.id, min, below: input.below ?? 2, groupId: input.groupId ?? null }
    const [[count], groups, newer] = await Promise.all([
      ctx.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM likely_groups WHERE ${where}`, values),
      ctx.db.query<{ id: number; confidence: number }>(
        `SELECT id, confidence FROM likely_groups WHERE ${where}
         ORDER BY ${input.sort === 'confidence' ? 'confidence, id' : 'confidence DESC, id DESC'} LIMIT :limit OFFSET :offset`,
        { ...values, limit: input.size, offset: (input.page - 1) * input.size },
      ),
      ctx.db.query<{ id: number }>(
        `SELECT id FROM readers WHERE publication_id = :publicationId AND id > :last LIMIT 1`,
        { publicationId, last: shown.last_reader_id },
      ),
    ])
    const rows: LikelyGroupView[] = groups.map(({ id, confidence }) => ({
      id,
      confidence: Number(confidence),
      isChanged: false,
      members: [],
    }))
    if (rows.length > 0) await addMembers(rows)
    return { ...pageOf(rows, Number(count?.n ?? 0), input), ...searchInfo, isOutOfDate: newer.length > 0 }

    async function addMembers(groups: LikelyGroupView[]): Promise<void> {
      const members = await ctx.db.query<Row>(
        `SELECT m.group_id, m.version AS seen_version, m.fit, m.reasons, m.reader_id, ${memberColumns}
         FROM likely_members m LEFT JOIN readers r ON r.id = m.reader_id ${memberJoins}
         WHERE m.group_id IN (:ids) ORDER BY m.id`,
        { ids: groups.map(({ id }) => id) },
      )
      for (const row of members) {
        const group = groups.find(({ id }) => id === row.group_id)
        if (!group) continue
        if (row.id === null || row.version !== row.seen_version || asBoolean(row.is_deleted)) group.isChanged = true
        if (row.id !== null) group.members.push(likelyMember(row))
      }
    }
  },
})

type Row = MemberRow & { group_id: number; id: number | null; seen_version: number }

function likelyMember(row: Row): LikelyMemberView {
  return { ...memberView(row), fit: Number(row.fit), reasons: asJson(row.reasons) }
}
