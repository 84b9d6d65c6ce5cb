import { z } from 'zod'
import type { LikelyGroupView, LikelyMemberView } from '#core/duplicates/likely-group.rules.ts'
import type { LikelySearchView } from '#core/duplicates/likely-search-row.ts'
import type { LikelyList } from '#core/duplicates/list-likely.query.ts'
import type { MergeList } from '#core/duplicates/list-merges.query.ts'
import type { MergeBatchView } from '#core/duplicates/merge-batch-row.ts'
import { subTypes } from '#core/terms/term.rules.ts'
import { IsoDay, WireId, wirePage } from './wire-values.ts'

const text = z.string()
const Confidence = z.number().min(0).max(1).describe('Confidence, 0 to 1')
const Moment = z.iso.datetime()

const WireMember = z.object({
  _id: WireId,
  version: z.int(),
  fit: Confidence,
  reasons: z.array(text),
  uniqueReference: text,
  title: text,
  firstName: text,
  lastName: text,
  fullName: text,
  companyName: text,
  email: text,
  telephone: text,
  addressOne: text,
  addressTwo: text,
  addressThree: text,
  addressFour: text,
  city: text,
  postCode: text,
  country: text,
  subType: z.enum(['', ...subTypes]),
  subStartDate: IsoDay,
  subEndDate: IsoDay,
  orders: z.int(),
})

const WireGroup = z.object({
  _id: WireId,
  confidence: Confidence,
  isChanged: z.boolean().describe('One of the readers was changed since the search'),
  readers: z.array(WireMember),
})

export const WireSearch = z.object({
  _id: WireId,
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  phase: text,
  part: z.number(),
  readers: z.int(),
  groups: z.int(),
  learned: z.array(text).describe('What a match means in this publication, where it differs from others'),
  problem: text.nullable(),
  askedAt: Moment,
  finishedAt: Moment.nullable(),
})

export const WireLikelyList = wirePage(WireGroup).extend({
  search: WireSearch.nullable(),
  latest: WireSearch.nullable().describe('A newer search that has not ended'),
  isOutOfDate: z.boolean().describe('Readers were added since the search'),
})

export const WireBatch = z.object({
  _id: WireId,
  state: z.enum(['waiting', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone']),
  minConfidence: Confidence,
  groups: z.int(),
  merged: z.int(),
  left: z.int().describe('Groups that were not merged, such as those that had changed'),
  removed: z.int(),
  undone: z.int(),
  problem: text.nullable(),
  startedAt: Moment,
  canResume: z.boolean().describe('It was interrupted: resumemerges resumes it'),
})

export const WireMergeList = wirePage(
  z.object({
    _id: WireId,
    survivor: WireId,
    name: text,
    uniqueReference: text,
    removed: z.int(),
    mergedAt: Moment,
    undoneAt: Moment.nullable(),
    canUndo: z.boolean(),
  }),
).extend({ batches: z.array(WireBatch) })

export function wireSearch(search: LikelySearchView): z.input<typeof WireSearch> {
  const { id, askedAt, finishedAt } = search
  return { ...search, _id: id, askedAt: askedAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null }
}

export function wireLikelyList(list: LikelyList): z.input<typeof WireLikelyList> {
  return {
    ...list,
    rows: list.rows.map(wireGroup),
    search: list.search && wireSearch(list.search),
    latest: list.latest && wireSearch(list.latest),
  }
}

function wireGroup({ id, members, ...group }: LikelyGroupView): z.input<typeof WireGroup> {
  return { ...group, _id: id, readers: members.map(wireMember) }
}

function wireMember(member: LikelyMemberView): z.input<typeof WireMember> {
  return { ...member, _id: member.id, subStartDate: member.subStartOn, subEndDate: member.subEndOn }
}

export function wireBatch(batch: MergeBatchView): z.input<typeof WireBatch> {
  return { ...batch, _id: batch.id, removed: batch.readersRemoved, startedAt: batch.startedAt.toISOString() }
}

export function wireMergeList(list: MergeList): z.input<typeof WireMergeList> {
  return {
    ...list,
    batches: list.batches.map(wireBatch),
    rows: list.rows.map(({ id, survivorId, mergedAt, undoneAt, ...merge }) => ({
      ...merge,
      _id: id,
      survivor: survivorId,
      mergedAt: mergedAt.toISOString(),
      undoneAt: undoneAt?.toISOString() ?? null,
    })),
  }
}
