import { Form, Link } from '@remix-run/react'
import type { GroupChoices } from '#core/duplicates/likely-choices.rules.ts'
import { subscriptionOf } from '#core/duplicates/likely-choices.rules.ts'
import type { LikelyGroupView, LikelyMemberView } from '#core/duplicates/likely-group.rules.ts'
import { countOf } from '#core/kernel/counted.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Radio } from '../ui/inputs.tsx'
import { readerName } from '../ui/reader-cells.tsx'

interface LikelyGroupProps {
  group: LikelyGroupView
  choices: GroupChoices
  isPending: boolean
}

/** A group of likely duplicates: why it is one, whom to keep, what to take from whom, and the two answers. */
export function LikelyGroup({ group, choices, isPending }: LikelyGroupProps) {
  const { id, confidence, members, isChanged } = group
  const reasons = [...new Set(members.flatMap((member) => member.reasons))]
  const names = [...new Set(members.map(readerName))].join(' / ')
  return (
    <li className="card p-4 lg:p-5">
      <Form method="post" preventScrollReset aria-labelledby={`group-${id}`}>
        <input type="hidden" name="groupId" value={id} />
        {members.map((member) => (
          <input key={member.id} type="hidden" name={`version.${member.id}`} value={member.version} />
        ))}
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h2 id={`group-${id}`} className="text-h3 wrap-anywhere">
            {names}
          </h2>
          <Sureness confidence={confidence} />
        </div>
        {reasons.length > 0 && (
          <ul aria-label="Why" className="mt-2 flex flex-wrap gap-1.5">
            {reasons.map((reason) => (
              <li key={reason} className="rounded-full bg-subtle px-2.5 py-0.5 text-table wrap-anywhere text-ink-2">
                {reason}
              </li>
            ))}
          </ul>
        )}
        {isChanged && (
          <div className="mt-3">
            <Banner tone="warning" title="Changed since the search">
              Somebody has changed or removed one of these readers. Search again before merging them.
            </Banner>
          </div>
        )}
        <fieldset className="mt-4">
          <legend className="text-body font-medium text-ink-2">Keep the record of</legend>
          <div className="mt-2 grid gap-2 md:grid-cols-2 xl:grid-cols-3">
            {members.map((member) => (
              <Survivor key={member.id} member={member} isChosen={member.id === choices.survivorId} />
            ))}
          </div>
        </fieldset>
        {choices.differing.map(({ field, label, chosenId, options }) => (
          <fieldset key={field} className="mt-4 border-t border-line pt-3">
            <legend className="float-left mr-4 w-36 text-table font-medium text-ink-2">{label}</legend>
            <div className="grid gap-x-6 gap-y-1 md:grid-cols-2 xl:grid-cols-3">
              {options.map(({ readerId, value }) => (
                <Radio
                  key={readerId}
                  name={`choice.${field}`}
                  value={readerId}
                  defaultChecked={readerId === chosenId}
                  label={
                    <span className="wrap-anywhere">{value || <span className="text-muted">Leave it empty</span>}</span>
                  }
                />
              ))}
            </div>
          </fieldset>
        ))}
        {choices.renewals && (
          <fieldset className="mt-4 border-t border-line pt-3">
            <legend className="float-left mr-4 w-36 text-table font-medium text-ink-2">Automatic renewal</legend>
            <div className="grid gap-x-6 gap-y-1 md:grid-cols-2 xl:grid-cols-3">
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
            <p className="mt-1 clear-both text-table text-ink-2">
              Only one can stay. The others end, their readers are notified by email, and an undo does not turn them on
              again.
            </p>
          </fieldset>
        )}
        <dl className="mt-4 grid gap-x-6 gap-y-1.5 border-t border-line pt-3 text-table sm:grid-cols-[9rem_1fr]">
          {choices.agreed.map(({ label, value }) => (
            <Line key={label} label={label} value={value} />
          ))}
          <Line label="Subscription" value={choices.subscription} />
          <Line label="Opted out of" value={choices.optedOut.length === 0 ? 'Nothing' : choices.optedOut.join('; ')} />
        </dl>
        <div className="mt-4 flex flex-wrap gap-3">
          <Button type="submit" name="intent" value="merge" kind="primary" isPending={isPending} isDisabled={isChanged}>
            {`Merge ${countOf(members.length, 'record')}`}
          </Button>
          <Button type="submit" name="intent" value="apart" isDisabled={isPending}>
            Not duplicates
          </Button>
        </div>
      </Form>
    </li>
  )
}

function Survivor({ member, isChosen }: { member: LikelyMemberView; isChosen: boolean }) {
  return (
    <div className="rounded-card border border-line p-3 has-checked:border-primary has-checked:bg-primary-soft/50">
      <Radio
        name="survivorId"
        value={member.id}
        defaultChecked={isChosen}
        label={
          <>
            <span className="font-medium wrap-anywhere">{readerName(member)}</span>
            <span className="numeric block text-table wrap-anywhere text-ink-2">{member.uniqueReference}</span>
          </>
        }
      />
      <p className="mt-1.5 text-table text-ink-2">
        {subscriptionOf(member)}
        {member.orders > 0 && `, ${countOf(member.orders, 'order')}`}
      </p>
      <Link to={`/editreader/${member.id}`} className="link mt-1 inline-block py-0.5 text-table">
        View<span className="sr-only">{` ${readerName(member)}, ${member.uniqueReference}`}</span>
      </Link>
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

/** How sure it is, in words too: nobody is promised a hundred per cent. */
function Sureness({ confidence }: { confidence: number }) {
  const percent = `${Math.min(99, Math.floor(confidence * 100))} % sure`
  if (confidence >= 0.97) return <Badge tone="success">{percent}</Badge>
  return <Badge tone={confidence >= 0.85 ? 'info' : 'warning'}>{percent}</Badge>
}
