import { useFetcher } from '@remix-run/react'
import type { GroupChoices } from '#core/duplicates/likely-choices.rules.ts'
import { changedSinceSearch, type MergeRefusal } from '#core/duplicates/mergeable-group.rules.ts'
import type { MemberSummary } from '#web/app/http/duplicate-groups.ts'
import type { RefusedItem } from '../data-quality/use-work-list.ts'
import { MergeForm } from '../duplicates/merge-form.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'

interface LikelyGroupProps {
  group: { id: number; confidence: number; isChanged: boolean; reasons: string[]; members: MemberSummary[] }
  choices: GroupChoices
  refusal: MergeRefusal | null
  refused: RefusedItem | null
}

/** A group of likely duplicates: why they match, which record to keep, which values to take, and the buttons Merge and Not duplicates. */
export function LikelyGroup({ group, choices, refusal, refused }: LikelyGroupProps) {
  const { id, confidence, members, isChanged, reasons } = group
  const fetcher = useFetcher<{ problem?: { message: string; hint?: string } }>()
  const names = [...new Set(members.map(({ name }) => name))].join(' / ')
  return (
    <MergeForm
      itemKey={String(id)}
      hidden={{ groupId: id }}
      heading={
        <>
          <h2 className="line-clamp-1 max-w-fit flex-1 basis-40 text-body font-semibold wrap-anywhere group-has-[[open]]:line-clamp-none">
            {names}
          </h2>
          <ConfidenceBadge confidence={confidence} />
        </>
      }
      about={reasons.join(', ')}
      members={members}
      choices={choices}
      fetcher={fetcher}
      // With several renewals, the user must choose which one is kept.
      canMergeCollapsed={choices.renewals === null}
      isChanged={isChanged}
      refusal={refusal}
      refused={refused}
      otherButtons={
        <Button type="submit" name="intent" value="apart" size="small" isDisabled={fetcher.state !== 'idle'}>
          Not duplicates
        </Button>
      }
    >
      {isChanged && (
        <p className="mt-1 line-clamp-1 text-table text-ink-2 group-has-[[open]]:line-clamp-none">
          <span className="font-semibold text-warning">{changedSinceSearch.message}.</span> {changedSinceSearch.hint}
        </p>
      )}
    </MergeForm>
  )
}

/** The confidence as a percentage; never 100. */
function ConfidenceBadge({ confidence }: { confidence: number }) {
  const percent = `${Math.min(99, Math.floor(confidence * 100))}% sure`
  if (confidence >= 0.97) return <Badge tone="success">{percent}</Badge>
  return <Badge tone={confidence >= 0.85 ? 'info' : 'warning'}>{percent}</Badge>
}
