import { Form } from '@remix-run/react'
import { progressText } from '#core/kernel/progress-text.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { RemovalView } from '#core/removals/removal-row.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/formats.tsx'
import { usePolling } from '../ui/use-polling.ts'
import { useSecondsLeft } from '../ui/use-seconds-left.ts'

const isBusy = ({ state }: RemovalView) => state === 'waiting' || state === 'running' || state === 'restoring'

/** The removal whose result is shown at the top of the page: the newest that the worker did, if it failed or has just ended. */
function shownResult(removals: readonly RemovalView[]): RemovalView | null {
  const newest = removals.find(({ isLong }) => isLong)
  if (!newest || isBusy(newest)) return null
  return newest.canResume || newest.isJustEnded ? newest : null
}

/** A long removal of readers, or the restoring of its readers, polled every two seconds; then its result. */
export function RemovalState({ removals, back }: { removals: RemovalView[]; back: string }) {
  const busy = removals.find(isBusy)
  usePolling(busy !== undefined, 2000)
  const result = shownResult(removals)
  if (!busy && !result) return null
  return (
    <div className="mb-5 grid gap-3">
      {busy && <BusyRemoval key={`${busy.id} ${busy.state === 'restoring'}`} removal={busy} back={back} />}
      {!busy && result && <Result removal={result} back={back} />}
    </div>
  )
}

function BusyRemoval({ removal: { id, state, label, progress }, back }: { removal: RemovalView; back: string }) {
  const secondsLeft = useSecondsLeft(progress)
  const title = state === 'restoring' ? `Restoring readers: ${label}…` : `Removing readers: ${label}…`
  return (
    <Banner
      title={title}
      action={<RemovalButton id={id} intent="stop-removal" label="Stop" about={label} back={back} />}
    >
      <p role="status" className="numeric">
        {`${progressText({ ...progress, unit: 'readers', secondsLeft })}. `}
        You may leave this page: the work continues.
      </p>
    </Banner>
  )
}

function Result({ removal, back }: { removal: RemovalView; back: string }) {
  const { id, state, label, removed, restored, canRestore, canResume, problem } = removal
  const isEarly = state === 'failed' || state === 'stopped'
  const title = isEarly
    ? `Removing readers stopped after ${formatCount(removed)}: ${label}`
    : restored > 0
      ? `${countOf(restored, 'reader')} restored: ${label}`
      : `${countOf(removed, 'reader')} removed: ${label}`
  return (
    <Banner
      tone={problem ? 'danger' : isEarly ? 'warning' : 'success'}
      title={title}
      action={
        (canRestore || canResume) && (
          <span className="flex flex-wrap justify-end gap-2">
            {canResume && <RemovalButton id={id} intent="resume-removal" label="Resume" about={label} back={back} />}
            {canRestore && <RestoreButton removal={removal} back={back} />}
          </span>
        )
      }
    >
      {[problem, ...notesOf(removal)].filter(Boolean).join(' ')}
    </Banner>
  )
}

/** What a user should know about the readers that are not as they were expected to be. */
function notesOf({ state, removed, leftAlone, restored, notRestored, canRestore }: RemovalView): string[] {
  const notes: string[] = []
  if (restored > 0 && state !== 'done') notes.push(`${countOf(restored, 'reader was', 'readers were')} restored.`)
  if (leftAlone > 0)
    notes.push(`${countOf(leftAlone, 'reader was', 'readers were')} left: added or changed since the list was shown.`)
  if (notRestored > 0)
    notes.push(`${countOf(notRestored, 'reference belongs', 'references belong')} to other readers now.`)
  if (canRestore && removed > 0) notes.push('They can be restored for 30 days, without their automatic renewals.')
  return notes
}

/** The removals of the last thirty days whose readers can be restored; the latest are shown, the others on request. */
export function RemovalsToRestore({
  removals,
  back,
  timeZone,
}: {
  removals: RemovalView[]
  back: string
  timeZone: string
}) {
  const result = shownResult(removals)
  const restorable = removals.filter(({ id, canRestore }) => canRestore && id !== result?.id)
  if (restorable.length === 0) return null
  const earlier = restorable.slice(3)
  return (
    <section aria-labelledby="removals" className="card mt-6 p-4">
      <h2 id="removals" className="text-body font-semibold">
        Removed readers
      </h2>
      <RemovalItems removals={restorable.slice(0, 3)} back={back} timeZone={timeZone} />
      {earlier.length > 0 && (
        <details>
          <summary className="min-h-8 cursor-pointer py-1 text-table text-primary">
            {countOf(earlier.length, 'earlier removal')}
          </summary>
          <RemovalItems removals={earlier} back={back} timeZone={timeZone} />
        </details>
      )}
    </section>
  )
}

function RemovalItems({ removals, back, timeZone }: { removals: RemovalView[]; back: string; timeZone: string }) {
  return (
    <ul className="mt-1 divide-y divide-line">
      {removals.map((removal) => (
        <li key={removal.id} className="flex flex-wrap items-center justify-between gap-2 py-2 text-table">
          <span className="min-w-0 wrap-anywhere">
            {`${removal.label}: ${countOf(removal.removed, 'reader')}, `}
            <Moment at={removal.createdAt} timeZone={timeZone} />
            {removal.problem && removal.state === 'done' && (
              <span className="block text-danger">
                {`The restoring stopped after ${countOf(removal.restored, 'reader')}: ${removal.problem}`}
              </span>
            )}
          </span>
          <RestoreButton removal={removal} back={back} />
        </li>
      ))}
    </ul>
  )
}

function RestoreButton({ removal: { id, label, restored }, back }: { removal: RemovalView; back: string }) {
  const text = restored > 0 ? 'Restore the rest' : 'Restore them'
  return <RemovalButton id={id} intent="restore-chosen" label={text} about={label} back={back} />
}

interface RemovalButtonProps {
  id: number
  intent: string
  label: string
  /** The removal, for screen readers. */
  about: string
  back: string
}

function RemovalButton({ id, intent, label, about, back }: RemovalButtonProps) {
  return (
    <Form method="post" action={back} preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <Button type="submit" name="intent" value={intent} size="small">
        {label}
        <span className="sr-only">{` (${about})`}</span>
      </Button>
    </Form>
  )
}
