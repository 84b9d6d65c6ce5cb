import { Link, type useFetcher } from '@remix-run/react'
import { type ReactNode, useId, useState } from 'react'
import type { GroupChoices } from '#core/duplicates/likely-choices.rules.ts'
import type { MergeRefusal } from '#core/duplicates/mergeable-group.rules.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { MemberSummary } from '#web/app/http/duplicate-groups.ts'
import type { RefusedItem } from '../data-quality/use-work-list.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Radio } from '../ui/inputs.tsx'

type MergeFetcher = ReturnType<typeof useFetcher<{ problem?: { message: string; hint?: string } }>>

interface MergeFormProps {
  /** The group's key in the list. */
  itemKey: string
  /** The heading: the names or the common value, with the text next to it. */
  heading: ReactNode
  members: readonly MemberSummary[]
  choices: GroupChoices
  fetcher: MergeFetcher
  hidden?: Record<string, string | number>
  /** The reason why the records are a group; one line of the collapsed group. */
  about: string
  /** Whether the merge button is shown without expanding the group. */
  canMergeCollapsed: boolean
  /** Whether it can be merged: not if only the first records of the group are loaded. */
  canMerge?: boolean
  /** The reason why the key M does not merge the group, shown and announced when M is pressed. */
  refusal: MergeRefusal | null
  refused: RefusedItem | null
  isChanged?: boolean
  /** A checkbox before the heading. */
  checkbox?: ReactNode
  /** Further buttons next to Merge. */
  otherButtons?: ReactNode
  /** Returns further actions for the record with an id. */
  recordAction?: ((id: number) => ReactNode) | undefined
  /** Shown between the heading and the choices of an open group. */
  children?: ReactNode
}

/** A group of records, collapsed to a few lines; expanded, it asks which record to keep and which value of each field that differs. */
export function MergeForm(props: MergeFormProps) {
  const { itemKey, heading, members, choices, fetcher, hidden = {}, about, canMergeCollapsed, canMerge = true } = props
  const { isChanged = false, refusal, refused } = props
  const [isOpen, setOpen] = useState(false)
  // Not the key: it may contain spaces, which separate ids.
  const headingId = useId()
  const isPending = fetcher.state !== 'idle'
  const problem = fetcher.data?.problem
  const merge = (
    <Button
      type="submit"
      name="intent"
      value="merge"
      kind="primary"
      size="small"
      data-merge={refusal?.isFinal ? undefined : ''}
      isPending={isPending}
      isDisabled={isChanged}
    >
      {`Merge ${countOf(members.length, 'record')}`}
    </Button>
  )
  return (
    <li
      data-item={itemKey}
      tabIndex={-1}
      aria-busy={isPending}
      className={`group card scroll-mt-28 scroll-mb-4 p-3 ${isPending ? 'opacity-70' : ''}`}
    >
      <fetcher.Form method="post" preventScrollReset aria-labelledby={headingId}>
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {members.map((member) => (
          <input key={member.id} type="hidden" name={`version.${member.id}`} value={member.version} />
        ))}
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          {props.checkbox}
          <div className="min-w-0 grow basis-56">
            <div id={headingId} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              {heading}
            </div>
            <p className={`text-table text-ink-2 ${isOpen ? '' : 'line-clamp-2'}`}>{about}</p>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            {canMerge && canMergeCollapsed && merge}
            {props.otherButtons}
          </div>
        </div>
        {problem && (
          <div className="mt-3">
            <Banner tone="danger" title={problem.message} isAlert>
              {problem.hint}
            </Banner>
          </div>
        )}
        <div role="status">
          {refusal && refused?.key === itemKey && (refusal.isFinal || !isOpen) && (
            <p key={refused.times} className="mt-2 text-table text-ink-2">
              <span className="font-semibold">{refusal.message}.</span> {refusal.hint}
            </p>
          )}
        </div>
        {props.children}
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary
            data-open
            className="inline-flex min-h-8 cursor-pointer items-center text-table font-medium text-primary"
          >
            {isOpen ? 'Close' : 'Compare'}
          </summary>
          <Records members={members} choices={choices} recordAction={props.recordAction} />
          {canMerge && !canMergeCollapsed && <div className="mt-3">{merge}</div>}
        </details>
      </fetcher.Form>
    </li>
  )
}

const fieldClass = 'mt-3 border-t border-line pt-2.5'
const legendClass = 'float-left mr-4 w-32 text-table font-medium text-ink-2'
const optionsClass = 'grid gap-x-6 gap-y-1 md:grid-cols-2'

interface RecordsProps extends Pick<MergeFormProps, 'members' | 'choices'> {
  recordAction: MergeFormProps['recordAction']
}

/** Which record to keep, which values to take from the others, and what is merged by rule. */
function Records({ members, choices, recordAction }: RecordsProps) {
  return (
    <>
      <fieldset className="mt-3">
        <legend className="text-table font-medium text-ink-2">Keep the record of</legend>
        <div className="mt-2 grid gap-2 md:grid-cols-2">
          {members.map((member) => (
            <Survivor key={member.id} member={member} isChosen={member.id === choices.survivorId}>
              {recordAction?.(member.id)}
            </Survivor>
          ))}
        </div>
      </fieldset>
      {choices.differing.map(({ field, label, chosenId, options }) => (
        <fieldset key={field} className={fieldClass}>
          <legend className={legendClass}>{label}</legend>
          <div className={optionsClass}>
            {options.map(({ readerId, value }) => (
              <Radio
                key={readerId}
                name={`choice.${field}`}
                value={readerId ?? ''}
                defaultChecked={readerId === chosenId}
                label={
                  <span className="text-table wrap-anywhere">
                    {value || <span className="text-muted">Leave it blank</span>}
                    {readerId === null && <span className="text-muted"> (composed of the merged names)</span>}
                  </span>
                }
              />
            ))}
          </div>
        </fieldset>
      ))}
      {choices.renewals && (
        <fieldset className={fieldClass}>
          <legend className={legendClass}>Automatic renewal</legend>
          <div className={optionsClass}>
            {choices.renewals.options.map(({ readerId, value }) => (
              <Radio
                key={readerId}
                name="renewalOf"
                value={readerId}
                defaultChecked={readerId === choices.renewals?.chosenId}
                label={value}
              />
            ))}
          </div>
          <p className="clear-both mt-1 text-table text-ink-2">
            Only one can be kept. The others end, their readers are notified by email, and an undo does not turn them on
            again.
          </p>
        </fieldset>
      )}
      <dl className="mt-3 grid gap-x-6 gap-y-1.5 border-t border-line pt-2.5 text-table sm:grid-cols-[8rem_1fr]">
        {choices.agreed.map(({ label, value }) => (
          <Line key={label} label={label} value={value} />
        ))}
        <Line label="Subscription" value={choices.subscription} />
        <Line label="Opted out of" value={choices.optedOut.length === 0 ? 'Nothing' : choices.optedOut.join('; ')} />
      </dl>
    </>
  )
}

function Survivor({ member, isChosen, children }: { member: MemberSummary; isChosen: boolean; children: ReactNode }) {
  return (
    <div className="rounded-card border border-line p-3 has-checked:border-primary has-checked:bg-primary-soft/50">
      <Radio
        name="survivorId"
        value={member.id}
        defaultChecked={isChosen}
        label={
          <>
            <span className="font-medium wrap-anywhere">{member.name}</span>
            <span className="numeric block text-table wrap-anywhere text-ink-2">{member.uniqueReference}</span>
          </>
        }
      />
      <p className="mt-1.5 text-table text-ink-2">
        {member.subscription}
        {member.orders > 0 && `, ${countOf(member.orders, 'order')}`}
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-3">
        <Link to={`/editreader/${member.id}`} className="link py-0.5 text-table">
          View<span className="sr-only">{` ${member.name}, ${member.uniqueReference}`}</span>
        </Link>
        {children}
      </div>
    </div>
  )
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="contents max-sm:block">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{value}</dd>
    </div>
  )
}
