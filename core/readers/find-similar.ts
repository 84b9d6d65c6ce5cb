import type { AppContext } from '../context.ts'
import { asBoolean, asJson } from '../database.ts'
import { explainPair } from '../likely/explain-pair.rules.ts'
import { type LikelyRecord, likelyColumns, likelyRecord, likelySource } from '../likely/likely-record.rules.ts'
import { pairEvidence, type Rarity } from '../likely/pair-evidence.rules.ts'
import { pairScorer } from '../likely/score-pair.rules.ts'
import type { LearnedWeights } from '../ports/likely-finder.ts'
import { readersTotal } from './readers-total.ts'
import { type ComparedReader, candidateIds, keysOf } from './similar-candidates.ts'

/** A stored reader who resembles one that is about to be added. */
export interface SimilarReader {
  id: number
  uniqueReference: string
  name: string
  companyName: string
  email: string
  postCode: string
  isDeleted: boolean
  /** 0 to 1. */
  confidence: number
  /** What matches and what does not, in short sentences. */
  reasons: string[]
}

const maxSimilar = 5
/** Below this confidence, two records count as two people, unless they share the email, or the postcode with the surname or street. */
const minConfidence = 0.5

/** The readers of a publication who resemble this one, most confident first, at most five. Uses only indexes, so that it can run while typing. */
export async function findSimilar(
  ctx: AppContext,
  publicationId: number,
  typed: ComparedReader,
): Promise<SimilarReader[]> {
  const keys = keysOf(typed)
  const ids = await candidateIds(ctx, publicationId, keys)
  if (ids.length === 0) return []
  const rows = await ctx.db.query<Record<string, unknown> & { id: number }>(
    `SELECT ${likelyColumns.join(', ')}, unique_reference, is_deleted, key_email, key_post_code, key_surname, key_address
     FROM readers WHERE id IN (:ids)`,
    { ids },
  )
  const rarity = await rarityAt(ctx, publicationId, keys)
  const score = pairScorer(await learnedMoves(ctx, publicationId))
  const typedRecord = likelyRecord({ id: 0, ...typed })
  return rows
    .flatMap((row) => {
      const text = (column: string) => String(row[column] ?? '')
      const record = likelyRecord(likelySource(likelyColumns.map(text)))
      const evidence = pairEvidence(typedRecord, record, rarity)
      const confidence = score(evidence)
      const isSamePlace =
        keys.postCode !== '' &&
        text('key_post_code') === keys.postCode &&
        ((keys.surname !== '' && text('key_surname') === keys.surname) ||
          (keys.address !== '' && text('key_address') === keys.address))
      const isSameEmail = keys.email !== '' && text('key_email') === keys.email
      if (confidence < minConfidence && !isSameEmail && !isSamePlace) return []
      const reader: SimilarReader = {
        id: row.id,
        uniqueReference: text('unique_reference'),
        name: nameOf(text),
        companyName: text('company_name'),
        email: text('email'),
        postCode: text('post_code'),
        isDeleted: asBoolean(row.is_deleted),
        confidence,
        reasons: reasonsOf(typedRecord, record, evidence),
      }
      return [reader]
    })
    .sort((a, b) => b.confidence - a.confidence || a.id - b.id)
    .slice(0, maxSimilar)
}

function nameOf(text: (column: string) => string): string {
  return text('full_name') || [text('title'), text('first_name'), text('last_name')].filter(Boolean).join(' ')
}

/** Reasons about the name are left out while no name is typed. */
function reasonsOf(
  typedRecord: LikelyRecord,
  record: LikelyRecord,
  evidence: ReturnType<typeof pairEvidence>,
): string[] {
  const isNamed = typedRecord.first !== '' || typedRecord.last !== ''
  const reasons = explainPair(typedRecord, record, evidence)
  return isNamed ? reasons : reasons.filter((reason) => !/name/.test(reason))
}

/** How far the newest finished search for likely duplicates moved the weights; empty if there was none, or if it learned nothing. */
async function learnedMoves(ctx: AppContext, publicationId: number): Promise<Record<string, number>> {
  const [row] = await ctx.db.query<{ learned: LearnedWeights | string | null }>(
    `SELECT s.learned FROM likely_searches s JOIN tasks t ON t.kind = 'find-likely' AND t.subject_id = s.id
     WHERE s.publication_id = :publicationId AND t.state = 'done' ORDER BY s.id DESC LIMIT 1`,
    { publicationId },
  )
  if (!row?.learned) return {}
  return asJson<LearnedWeights>(row.learned).moves
}

/** Names are not counted beyond this: they are common anyway. */
const maxCounted = 5000

/** How rare the typed surname and postcode are in the publication. First names and streets have no index and are assumed to be of medium rarity. */
async function rarityAt(
  ctx: AppContext,
  publicationId: number,
  { surname, postCode }: ReturnType<typeof keysOf>,
): Promise<Rarity> {
  const count = async (condition: string): Promise<number> => {
    const [row] = await ctx.db.query<{ n: number }>(
      `SELECT COUNT(*) AS n FROM (SELECT 1 FROM readers WHERE publication_id = :publicationId ${condition} LIMIT :limit) counted`,
      { publicationId, surname, postCode, limit: maxCounted },
    )
    return Number(row?.n ?? 0)
  }
  const readers = await readersTotal(ctx, publicationId)
  const surnames = surname === '' ? 0 : await count(`AND key_surname <> '' AND key_surname = :surname`)
  const postCodes = postCode === '' ? 0 : await count(`AND key_post_code <> '' AND key_post_code = :postCode`)
  const bits = (sameKey: number) => Math.log2((readers + 2) / Math.max(1, sameKey))
  return {
    first: (name) => (name === '' ? 0 : 6),
    last: (name) => (name === '' ? 0 : bits(surnames)),
    postCode: (text) => (text === '' ? 0 : bits(postCodes)),
    street: (text) => (text === '' ? 0 : 8),
    areDistinctFirstNames: () => false,
    areDistinctSurnames: () => false,
    isCommonEmail: () => false,
    isCommonPhone: () => false,
    size: Math.log2(readers + 2),
  }
}
