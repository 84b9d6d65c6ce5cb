import { z } from 'zod'
import { cancelLikelySearch } from '#core/duplicates/cancel-likely-search.ts'
import { countLikely } from '#core/duplicates/count-likely.query.ts'
import { findLikelyDuplicates } from '#core/duplicates/find-likely-duplicates.ts'
import { listLikely } from '#core/duplicates/list-likely.query.ts'
import { listMerges } from '#core/duplicates/list-merges.query.ts'
import { markNotDuplicates } from '#core/duplicates/mark-not-duplicates.ts'
import { mergeLikelyDuplicates } from '#core/duplicates/merge-likely-duplicates.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { resumeMerges } from '#core/duplicates/resume-merges.ts'
import { undoMerge } from '#core/duplicates/undo-merge.ts'
import { undoMerges } from '#core/duplicates/undo-merges.ts'
import { type ApiCall, get, ofPublication, post } from './api-call.ts'
import {
  WireBatch,
  WireLikelyList,
  WireMergeList,
  WireSearch,
  wireBatch,
  wireLikelyList,
  wireMergeList,
  wireSearch,
} from './likely.wire.ts'
import { pagesQuery, WireId } from './wire-values.ts'

const publicationBody = { publicationID: 'publicationId' }

/** The calls about likely duplicates, beyond the specification: the search, its groups, merges and their undo. */
export const likelyCalls: readonly ApiCall[] = [
  get({
    path: '/likelyduplicatescount/{pubId}',
    summary: 'How many groups of likely duplicates are to be reviewed; null before the first search',
    useCase: countLikely,
    params: ofPublication,
    response: z.object({ count: z.int().nullable() }),
    toResponse: ({ groups }) => ({ count: groups }),
  }),
  get({
    path: '/likelyduplicates/{pubId}',
    summary:
      'Groups of likely duplicates, highest confidence first, with the reasons; min (default 0.5, from 0.2) and max (not included) limit the confidence',
    useCase: listLikely,
    params: ofPublication,
    query: { ...pagesQuery, sort: 'sort', min: 'min', max: 'below' },
    sorts: ['confidence'],
    response: WireLikelyList,
    toResponse: wireLikelyList,
  }),
  post({
    path: '/findlikelyduplicates',
    summary: 'Search a publication for likely duplicates; the worker does it, and the list shows its progress',
    useCase: findLikelyDuplicates,
    body: publicationBody,
    response: WireSearch,
    toResponse: wireSearch,
    extraStatuses: [404, 409],
  }),
  post({
    path: '/stoplikelyduplicates',
    summary: 'Stop a search for likely duplicates, a bulk merge or its undo',
    useCase: cancelLikelySearch,
    body: publicationBody,
    response: z.object({ searches: z.int(), batches: z.int() }),
    extraStatuses: [404],
  }),
  post({
    path: '/keepreadersapart',
    summary: 'Mark the readers of a group as different: they will not be listed together again',
    useCase: markNotDuplicates,
    body: { ...publicationBody, group: 'groupId' },
    response: z.object({ readers: z.int() }),
    extraStatuses: [404],
  }),
  post({
    path: '/mergereaders',
    summary:
      'Merge several readers into one. `choices` names the reader that each field is taken from, `versions` the version of each reader that was read; `dryRun` only shows the result.',
    useCase: mergeReaders,
    body: {
      ...publicationBody,
      readers: 'readerIds',
      survivor: 'survivorId',
      choices: 'choices',
      versions: 'versions',
      group: 'groupId',
      dryRun: 'dryRun',
    },
    response: z.object({ merge: WireId.nullable(), survivor: WireId, removed: z.int() }),
    toResponse: ({ mergeId, survivorId, removed }) => ({ merge: mergeId, survivor: survivorId, removed }),
    extraStatuses: [404, 409],
  }),
  post({
    path: '/undomerge/{mergeId}',
    summary: 'Undo a merge: restore its readers, unless the merged one was changed since',
    useCase: undoMerge,
    params: { mergeId: { is: 'id', field: 'mergeId' } },
    response: z.object({ survivor: WireId, restored: z.int() }),
    toResponse: ({ survivorId, restored }) => ({ survivor: survivorId, restored }),
    extraStatuses: [409],
  }),
  post({
    path: '/mergelikelyduplicates',
    summary: 'Merge all groups with at least this confidence (default 0.97); `dryRun` only counts',
    useCase: mergeLikelyDuplicates,
    body: { ...publicationBody, minConfidence: 'minConfidence', dryRun: 'dryRun' },
    response: z.object({ groups: z.int(), readers: z.int(), batch: WireBatch.nullable() }),
    toResponse: ({ groups, readers, batch }) => ({ groups, readers, batch: batch && wireBatch(batch) }),
    extraStatuses: [404, 409],
  }),
  post({
    path: '/undomerges/{batchId}',
    summary: 'Undo all merges of a run; readers that were changed since stay merged',
    useCase: undoMerges,
    params: { batchId: { is: 'id', field: 'batchId' } },
    response: WireBatch,
    toResponse: wireBatch,
    extraStatuses: [409],
  }),
  post({
    path: '/resumemerges/{batchId}',
    summary: 'Resume a bulk merge that was interrupted (`canResume`)',
    useCase: resumeMerges,
    params: { batchId: { is: 'id', field: 'batchId' } },
    response: WireBatch,
    toResponse: wireBatch,
    extraStatuses: [409],
  }),
  get({
    path: '/merges/{pubId}',
    summary: 'What was merged in a publication, the newest first, and whether it can be undone',
    useCase: listMerges,
    params: ofPublication,
    query: pagesQuery,
    response: WireMergeList,
    toResponse: wireMergeList,
  }),
]
