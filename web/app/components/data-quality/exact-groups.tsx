import { useFetcher, useSubmit } from '@remix-run/react'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { type MergeRefusal, mergeableLists } from '#core/duplicates/mergeable-group.rules.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { GroupToMerge } from '#web/app/http/duplicate-groups.ts'
import { MergeForm } from '../duplicates/merge-form.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { type RefusedItem, useClearedTicks, useRowSelection } from './use-work-list.ts'

interface ExactGroupsProps {
  list: { key: string; label: string }
  groups: readonly GroupToMerge[]
  total: number
  /** The text that the list is filtered by; empty without a filter. */
  filter: string
  isPending: boolean
  refused: RefusedItem | null
  /** Returns further actions for the record with an id. */
  recordAction: (id: number) => ReactNode
}

/** Groups of exact duplicates, collapsed. Groups that are certainly one reader each can be ticked and merged in one go. */
export function ExactGroups(props: ExactGroupsProps) {
  const { list, total, filter, isPending, refused, recordAction } = props
  const { groups, isChanged, showChanges } = useGroupsAsOpened(props.groups)
  const keys = groups.filter(({ isPickable, canMerge }) => isPickable && canMerge).map(({ key }) => key)
  const selection = useRowSelection(keys, filter)
  useClearedTicks(selection, ['merge-chosen', 'merge-list'])
  const [isConfirming, setConfirming] = useState(false)
  const submit = useSubmit()
  const count = selection.includesAllPages ? total : selection.selectedKeys.length
  const send = () => {
    const chosen = groups.filter(({ key }) => selection.isSelected(key))
    const fields: Record<string, string> = selection.includesAllPages
      ? { intent: 'merge-list', list: list.key }
      : {
          intent: 'merge-chosen',
          groups: JSON.stringify(chosen.map(({ members }) => members.map(({ id, version }) => ({ id, version })))),
        }
    submit(fields, { method: 'post', preventScrollReset: true, replace: true })
    setConfirming(false)
  }
  return (
    <>
      <SelectionBar
        noun="group"
        keys={keys}
        total={filter === '' && (mergeableLists as readonly string[]).includes(list.key) ? total : null}
        selection={selection}
        keyboard="J next, K previous, Enter compare, M merge, X tick"
      >
        <Button kind="primary" size="small" isPending={isPending} onClick={() => setConfirming(true)}>
          {`Merge ${countOf(count, 'group')}`}
        </Button>
      </SelectionBar>
      <ul className="grid gap-2">
        {groups.map((group) => (
          <ExactGroup
            key={`${group.key} ${versionsOf(group)}`}
            group={group}
            onShowChanges={isChanged(group) ? () => showChanges(group) : null}
            isSelected={selection.isSelected(group.key)}
            onSelect={(isOn) => selection.select(group.key, isOn)}
            refused={refused}
            recordAction={recordAction}
          />
        ))}
      </ul>
      <ConfirmDialog
        title={`Merge ${countOf(count, 'group')}?`}
        text={
          <p>
            Each group becomes one reader. The longest paid subscription is kept, blank fields are filled in, every
            opt-out is kept, and orders and history move to this reader.
            {selection.includesAllPages && ' Groups that may be different readers are left unchanged.'} All of it can be
            undone, except for readers changed in the meantime.
          </p>
        }
        confirmLabel={`Merge ${countOf(count, 'group')}`}
        isOpen={isConfirming}
        isPending={isPending}
        onConfirm={send}
        onCancel={() => setConfirming(false)}
      />
    </>
  )
}

/**
 * The groups with the records and versions that they had when the list was opened: after a reload a changed group stays as the user saw it until
 * its changes are shown, so that nobody merges what they have not seen.
 */
function useGroupsAsOpened(current: readonly GroupToMerge[]) {
  const [opened, setOpened] = useState({ current, groups: current })
  const hasSameRecords = (group: GroupToMerge) => (other: GroupToMerge) =>
    group.key === other.key && idsOf(group) === idsOf(other)
  if (opened.current !== current) {
    setOpened({ current, groups: current.map((group) => opened.groups.find(hasSameRecords(group)) ?? group) })
  }
  return {
    groups: opened.groups,
    isChanged: (group: GroupToMerge) =>
      current.some((latest) => latest.key === group.key && versionsOf(latest) !== versionsOf(group)),
    showChanges({ key }: GroupToMerge) {
      const latest = current.find((group) => group.key === key)
      const groups = opened.groups.map((group) => (latest && group.key === key ? latest : group))
      // Rendered at once, because the focused button disappears and the group takes the focus.
      flushSync(() => setOpened({ current, groups }))
      document.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"]`)?.focus()
    },
  }
}

const idsOf = ({ members }: GroupToMerge) =>
  members
    .map(({ id }) => id)
    .toSorted()
    .join()
const versionsOf = ({ members }: GroupToMerge) => members.map(({ id, version }) => `${id}.${version}`).join()

const changedSinceOpened: MergeRefusal = {
  message: 'Somebody has changed these records since you opened this group',
  hint: 'Show the changed records before you merge them.',
  isFinal: true,
}

interface ExactGroupProps {
  group: GroupToMerge
  /** Shows what somebody changed since the group was opened; null if nobody did. */
  onShowChanges: (() => void) | null
  isSelected: boolean
  onSelect: (isOn: boolean) => void
  refused: RefusedItem | null
  recordAction: (id: number) => ReactNode
}

function ExactGroup({ group, onShowChanges, isSelected, onSelect, refused, recordAction }: ExactGroupProps) {
  const { key, title, count, members, choices, canMerge, isPickable, refusal } = group
  const fetcher = useFetcher<{ problem?: { message: string; hint?: string } }>()
  // References differ in every record.
  const differing = choices.differing.filter(({ field }) => field !== 'uniqueReference').map(({ label }) => label)
  return (
    <MergeForm
      itemKey={key}
      heading={
        <>
          <h3 className="text-body font-semibold wrap-anywhere">{title}</h3>
          <span className="numeric text-table text-muted">
            {count > members.length
              ? `the first ${members.length} of ${formatCount(count)} readers`
              : countOf(count, 'reader')}
          </span>
        </>
      }
      about={differing.length > 0 ? `Different: ${differing.join(', ')}` : 'The same except for their references'}
      members={members}
      choices={choices}
      fetcher={fetcher}
      canMergeCollapsed={canMerge && isPickable}
      canMerge={canMerge}
      isChanged={onShowChanges !== null}
      refusal={onShowChanges ? changedSinceOpened : refusal}
      refused={refused}
      recordAction={recordAction}
      checkbox={
        canMerge && isPickable ? (
          <input
            type="checkbox"
            data-tick
            checked={isSelected}
            onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
            aria-label={`Select ${title}`}
            className="mt-1 size-4.5 shrink-0 accent-primary"
          />
        ) : undefined
      }
    >
      {onShowChanges && (
        <div className="mt-2">
          <Banner
            tone="warning"
            title={changedSinceOpened.message}
            action={
              <Button size="small" onClick={onShowChanges}>
                Show the changed records
              </Button>
            }
          />
        </div>
      )}
    </MergeForm>
  )
}
