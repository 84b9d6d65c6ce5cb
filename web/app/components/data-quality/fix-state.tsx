import { Form } from '@remix-run/react'
import type { FixView } from '#core/fixes/fix-row.ts'
import { progressText } from '#core/kernel/progress-text.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/formats.tsx'
import { usePolling } from '../ui/use-polling.ts'
import { useSecondsLeft } from '../ui/use-seconds-left.ts'

const isBusy = ({ state }: FixView) => state === 'waiting' || state === 'running' || state === 'undoing'

/** A running fix, polled every two seconds, or an interrupted one. */
export function FixState({ fixes, back }: { fixes: FixView[]; back: string }) {
  const busy = fixes.find(isBusy)
  usePolling(busy !== undefined, 2000)
  const failed = fixes[0]?.state === 'failed' ? fixes[0] : null
  if (!busy && !failed) return null
  return (
    <div className="mb-5 grid gap-3">
      {busy && <BusyFix key={`${busy.id} ${busy.state === 'undoing'}`} fix={busy} />}
      {failed && (
        <Banner
          tone="danger"
          title={`Auto Fix: ${failed.label} stopped after ${countOf(failed.fixed, 'reader')}`}
          action={
            failed.canResume && (
              <Form method="post" action={back} preventScrollReset>
                <input type="hidden" name="id" value={failed.id} />
                <Button type="submit" name="intent" value="resume-fix" size="small">
                  Resume<span className="sr-only">{` ${failed.label}`}</span>
                </Button>
              </Form>
            )
          }
        >
          {failed.problem}
        </Banner>
      )}
    </div>
  )
}

function BusyFix({ fix: { state, label, progress } }: { fix: FixView }) {
  const secondsLeft = useSecondsLeft(progress)
  return (
    <Banner title={state === 'undoing' ? `Undoing: ${label}…` : `Auto Fix: ${label}…`}>
      <p role="status" className="numeric">
        {`${progressText({ ...progress, unit: 'readers', secondsLeft })}. `}
        You may leave this page: the work continues.
      </p>
    </Banner>
  )
}

/** The latest fixes, which can be undone. */
export function FixesToUndo({ fixes, back, timeZone }: { fixes: FixView[]; back: string; timeZone: string }) {
  const undoable = fixes.filter(({ canUndo }) => canUndo).slice(0, 3)
  if (undoable.length === 0) return null
  return (
    <section aria-labelledby="fixes" className="card mt-6 p-4">
      <h2 id="fixes" className="text-body font-semibold">
        Automatic fixes
      </h2>
      <ul className="mt-1 divide-y divide-line">
        {undoable.map(({ id, label, state, fixed, undone, problem, finishedAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2 py-2 text-table">
            <span>
              {`${label}: ${countOf(fixed, 'reader')}, `}
              <Moment at={finishedAt} timeZone={timeZone} />
              {state === 'done' && problem && (
                <span className="block text-danger">
                  {`The undo stopped after ${countOf(undone, 'reader')}: ${problem}`}
                </span>
              )}
            </span>
            <Form method="post" action={back} preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <Button type="submit" name="intent" value="undo-fix" size="small">
                Undo<span className="sr-only">{` ${label}, ${countOf(fixed, 'reader')}`}</span>
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  )
}
