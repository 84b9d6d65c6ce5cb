import { dedupeLikely } from '#core/duplicates/dedupe-likely.ts'
import { findLikelyDuplicates } from '#core/duplicates/find-likely-duplicates.ts'
import { listLikely } from '#core/duplicates/list-likely.query.ts'
import { mergeExact } from '#core/duplicates/merge-exact.ts'
import { mergeLikelyDuplicates } from '#core/duplicates/merge-likely-duplicates.ts'
import { undoMerges } from '#core/duplicates/undo-merges.ts'
import { makeReader } from '../readers.ts'
import type { TestServices } from '../test-services.ts'
import { type CaseTarget, newest, numbers, type TaskCase } from './task-case.ts'

const pairs = 45

const merged = {
  facts: ({ ctx, publicationId }: CaseTarget) =>
    numbers(
      ctx,
      `SELECT (SELECT count(*) FROM readers WHERE publication_id = :id) AS readers, count(*) AS merges,
         count(DISTINCT m.survivor_id) AS survivors,
         (SELECT SUM(groups_merged) FROM merge_batches WHERE publication_id = :id) AS counted
       FROM reader_merges m WHERE m.publication_id = :id AND m.undone_at IS NULL`,
      publicationId,
    ),
  expected: { readers: pairs, merges: pairs, survivors: pairs, counted: pairs },
  next: async (target: CaseTarget) =>
    undoMerges(target.ctx, { batchId: await newest(target, 'merge_batches', 'AND groups_merged > 0') }),
} as const

/** Searches for duplicates, merges and their undo. */
export const duplicateCases: Record<string, TaskCase> = {
  'a search for likely duplicates': {
    kind: 'find-likely',
    // The groups of the previous search are deleted when this one is done.
    async prepare(services, target) {
      await makePairs(services, target)
      await dedupeLikely(target.ctx, { publicationId: target.publicationId })
    },
    worker: {
      start: ({ ctx, publicationId }) => findLikelyDuplicates(ctx, { publicationId }),
      commits: 6,
    },
    inline: {
      start: ({ ctx, publicationId }) => dedupeLikely(ctx, { publicationId }),
      commits: 7,
    },
    async facts({ ctx, publicationId }) {
      const { total, search } = await listLikely(ctx, { publicationId })
      const stored = await numbers(
        ctx,
        `SELECT count(*) AS groups_stored FROM likely_groups WHERE search_id = :id`,
        search?.id,
      )
      return { total, groups: search?.groups ?? 0, ...stored }
    },
    expected: { total: pairs, groups: pairs, groups_stored: pairs },
    next: ({ ctx, publicationId }) => findLikelyDuplicates(ctx, { publicationId }),
  },
  'a bulk merge': {
    kind: 'merge-duplicates',
    async prepare(services, target) {
      await makePairs(services, target)
      await dedupeLikely(target.ctx, { publicationId: target.publicationId })
    },
    worker: {
      start: ({ ctx, publicationId }) => mergeLikelyDuplicates(ctx, { publicationId }),
      commits: 50,
    },
    ...merged,
  },
  'a search with its merges': {
    kind: 'merge-duplicates',
    prepare: makePairs,
    inline: {
      start: ({ ctx, publicationId }) => dedupeLikely(ctx, { publicationId, apply: true }),
      commits: 57,
    },
    ...merged,
  },
  'a merge of exact duplicates': {
    kind: 'merge-duplicates',
    prepare: makePairs,
    inline: {
      start: ({ ctx, publicationId }) => mergeExact(ctx, { publicationId, list: 'duplicateemails' }),
      commits: 6,
    },
    ...merged,
  },
  'an undo of a bulk merge': {
    kind: 'undo-merges',
    async prepare(services, target) {
      await makePairs(services, target)
      await mergeExact(target.ctx, { publicationId: target.publicationId, list: 'duplicateemails' })
    },
    worker: {
      start: async (target) => undoMerges(target.ctx, { batchId: await newest(target, 'merge_batches') }),
      commits: 50,
    },
    facts: ({ ctx, publicationId }) =>
      numbers(
        ctx,
        `SELECT (SELECT count(*) FROM readers WHERE publication_id = :id) AS readers, count(*) AS undone,
           (SELECT count(*) FROM reader_events WHERE publication_id = :id AND kind = 'unmerged') AS events,
           (SELECT SUM(groups_undone) FROM merge_batches WHERE publication_id = :id) AS counted
         FROM reader_merges WHERE publication_id = :id AND undone_at IS NOT NULL`,
        publicationId,
      ),
    expected: { readers: 2 * pairs, undone: pairs, events: pairs, counted: pairs },
    next: ({ ctx, publicationId }) => mergeExact(ctx, { publicationId, list: 'duplicateemails' }),
  },
}

const surnames = ['Bar', 'Col', 'Den', 'Fal', 'Gor', 'Hin', 'Jas', 'Kel', 'Lom'].flatMap((first) =>
  ['wick', 'ton', 'field', 'more', 'stead'].map((last) => `${first}${last}`),
)

const firstNames = [
  'Ann',
  'Bob',
  'Cyril',
  'Dora',
  'Edith',
  'Fred',
  'Gwen',
  'Hugh',
  'Iris',
  'Jack',
  'Kay',
  'Leo',
  'Mona',
]

/** Pairs of equal readers: exact duplicates, and likely ones of high confidence. */
async function makePairs(services: TestServices, { publicationId }: CaseTarget): Promise<void> {
  for (const [n, lastName] of surnames.entries()) {
    const firstName = firstNames[n % firstNames.length] as string
    const addressOne = `${n + 1} ${surnames[(n * 7) % surnames.length]} Road`
    const address = { addressOne, city: 'Ely', postCode: `CB${1 + (n % 9)} ${n % 10}A${'ABDEFGHJLN'[n % 10]}` }
    const person = { firstName, lastName, ...address, email: `${firstName}.${lastName}@example.org`.toLowerCase() }
    for (let copy = 0; copy < 2; copy++) await makeReader(services, publicationId, person)
  }
}
