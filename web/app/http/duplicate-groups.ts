import type { AppContext } from '#core/context.ts'
import { groupMembers } from '#core/duplicates/group-members.query.ts'
import { groupChoices, subscriptionOf } from '#core/duplicates/likely-choices.rules.ts'
import type { MemberView } from '#core/duplicates/likely-group.rules.ts'
import type { DuplicateGroup } from '#core/duplicates/list-duplicates.query.ts'
import { isPickable, mergeRefusal } from '#core/duplicates/mergeable-group.rules.ts'
import { mergeProblem, separateSubscriptions } from '#core/duplicates/separate-subscriptions.query.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import type { DuplicateKey } from '#core/warnings/warnings.rules.ts'
import { readerName } from '../components/ui/reader-cells.tsx'
import { groupTitle } from './group-title.ts'

/** A record of a group for its merge form. */
export interface MemberSummary {
  id: number
  version: number
  name: string
  uniqueReference: string
  subscription: string
  orders: number
}

export function memberSummary(member: MemberView): MemberSummary {
  return {
    id: member.id,
    version: member.version,
    name: readerName(member),
    uniqueReference: member.uniqueReference,
    subscription: subscriptionOf(member),
    orders: member.orders,
  }
}

/** Groups of exact duplicates with their headings, their differences and the default values of a merge. */
export async function groupsToMerge(
  ctx: AppContext,
  publicationId: number,
  list: DuplicateKey,
  groups: readonly DuplicateGroup[],
) {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const ids = groups.flatMap(({ readers }) => readers.map(({ id }) => id))
  const [memberById, separate] = await Promise.all([
    groupMembers(ctx, publicationId, ids),
    separateSubscriptions(ctx, ids),
  ])
  return groups.map(({ keys, count, readers }) => {
    const members = readers.flatMap(({ id }) => memberById.get(id) ?? [])
    const choices = groupChoices({ members }, today)
    const isSimilar = isPickable(list, { count, readers: members })
    const memberIds = members.map(({ id }) => id)
    return {
      key: keys.join('|'),
      title: groupTitle(list, { keys, count, members }),
      count,
      members: members.map(memberSummary),
      choices,
      // A longer group is not loaded completely, and with several renewals the user must choose one.
      canMerge: count === members.length && members.length > 1,
      isPickable: choices.renewals === null && isSimilar,
      refusal: mergeRefusal({
        count,
        shown: members.length,
        isSimilar,
        problem: mergeProblem(memberIds, separate),
      }),
    }
  })
}

export type GroupToMerge = Awaited<ReturnType<typeof groupsToMerge>>[number]
