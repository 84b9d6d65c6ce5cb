import { Form, useNavigate, useNavigation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { UploadView } from '#core/imports/upload-view.ts'
import { progressText } from '#core/kernel/progress-text.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { usePolling } from '../ui/use-polling.ts'
import { useSecondsLeft } from '../ui/use-seconds-left.ts'
import { durationText, resultText } from './upload-texts.ts'

const busyStates = ['checking', 'waiting', 'running', 'undoing']
const pollMs = 1000

/** Polls a running upload once a second, and opens Manage Data if it succeeds while this page is open. */
export function useUploadPolling(upload: UploadView | null): void {
  const navigate = useNavigate()
  const isBusy = upload !== null && busyStates.includes(upload.state)
  const previous = useRef({ id: upload?.id, state: upload?.state })
  usePolling(isBusy, pollMs)
  const isSuccessful = upload?.state === 'done' && upload.failed === 0
  const [isLeaving, setLeaving] = useState(false)
  const id = upload?.id
  const currentState = upload?.state
  useEffect(() => {
    const isSame = previous.current.id === id
    // A small file may be done before the first poll.
    const wasUnderWay = isSame && ['checked', 'waiting', 'running'].includes(previous.current.state ?? '')
    previous.current = { id, state: currentState }
    setLeaving((wasLeaving) => isSame && (wasLeaving || wasUnderWay) && isSuccessful)
  }, [isSuccessful, id, currentState])
  const publicationId = upload?.publicationId
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => navigate(`/managedata?publication=${publicationId}`), pollMs)
    return () => clearTimeout(timer)
  }, [isLeaving, navigate, publicationId])
}

const titles: Record<string, string> = {
  checking: 'Checking the file…',
  waiting: 'The import will start in a moment',
  running: 'Importing…',
  undoing: 'Undoing the import…',
}

const phases: Record<string, string> = {
  reading: 'Reading the file…',
  comparing: 'Comparing the file with the readers…',
  writing: 'Importing…',
  undoing: 'Undoing the import…',
}

/** Step 4: the progress. The work continues after the user leaves the page. */
export function UploadProgress({ upload }: { upload: UploadView }) {
  const { state, progress, isStopping, failed, problem } = upload
  const isPending = useNavigation().formMethod === 'POST'
  const secondsLeft = useSecondsLeft({
    phase: `${state} ${progress.phase}`,
    done: progress.rows,
    total: progress.total,
    seconds: progress.phaseSeconds,
  })
  if (state === 'interrupted') return <Interrupted upload={upload} isPending={isPending} />
  if (state === 'undo-interrupted') return <UndoInterrupted upload={upload} isPending={isPending} />
  const isKnown = progress.total > 0 && state !== 'waiting'
  const unit = state === 'undoing' ? 'readers' : 'rows'
  const title =
    (state === 'running' && progress.phase && phases[progress.phase]) || titles[state] || titles.running || ''
  return (
    <section aria-labelledby="progress" className="card max-w-3xl p-4 lg:p-6">
      {/* Without JavaScript the page refreshes itself. */}
      <noscript>
        <meta httpEquiv="refresh" content="3" />
      </noscript>
      <h2 id="progress" className="text-h3">
        {title}
      </h2>
      <progress
        aria-labelledby="progress"
        className="mt-3 block h-2 w-full accent-primary"
        {...(isKnown ? { value: Math.min(progress.rows, progress.total), max: progress.total } : {})}
      />
      <p role="status" className="numeric mt-2 min-h-5 text-body text-ink-2">
        {isKnown && progressText({ done: progress.rows, total: progress.total, unit, secondsLeft })}
        {isKnown && state === 'running' && failed > 0 && `, ${formatCount(failed)} rejected`}
      </p>
      <p className="text-table text-muted">
        {`${durationText(progress.seconds)} so far. `}
        You may leave this page: the work continues, and you can come back to see its progress.
      </p>
      {problem && (
        <div className="mt-4">
          <Banner tone="warning" title="An attempt failed; it will be retried automatically">
            {problem}
          </Banner>
        </div>
      )}
      {state !== 'undoing' && (
        <Form method="post" className="mt-5">
          <Button
            type="submit"
            name="intent"
            value={state === 'checking' ? 'cancel' : 'stop'}
            isPending={isPending}
            isDisabled={isStopping}
          >
            {isStopping ? 'Stopping…' : state === 'checking' ? 'Cancel upload' : 'Stop'}
          </Button>
        </Form>
      )}
    </section>
  )
}

/** The undo reversed some of the import's changes but not yet the others. */
function UndoInterrupted({ upload, isPending }: { upload: UploadView; isPending: boolean }) {
  const { problem, restored, canUndo } = upload
  return (
    <section aria-labelledby="progress" className="card max-w-3xl p-4 lg:p-6">
      <h2 id="progress" className="text-h3">
        The undo was interrupted
      </h2>
      <p className="numeric mt-2 text-body text-ink-2">
        {`${countOf(restored, 'reader is', 'readers are')} as before the import; the others have not been restored yet.`}
      </p>
      {problem && (
        <div className="mt-3">
          <Banner tone="warning">{problem}</Banner>
        </div>
      )}
      {canUndo && (
        <Form method="post" className="mt-5">
          <Button type="submit" name="intent" value="undo" kind="primary" isPending={isPending}>
            Resume the undo
          </Button>
        </Form>
      )}
    </section>
  )
}

/** Interrupted: imported rows stay unless the import is undone; it can also be resumed, or left as it is. */
function Interrupted({ upload, isPending }: { upload: UploadView; isPending: boolean }) {
  const { progress, problem, canUndo, fileName } = upload
  return (
    <section aria-labelledby="progress" className="card max-w-3xl p-4 lg:p-6">
      <h2 id="progress" className="text-h3">
        The import was interrupted
      </h2>
      <p className="numeric mt-2 text-body text-ink-2">
        {`${formatCount(progress.rows)} of ${formatCount(progress.total)} rows of ${fileName} were processed: ${resultText(upload, upload).toLowerCase()}.`}
      </p>
      {problem && (
        <div className="mt-3">
          <Banner tone="warning">{problem}</Banner>
        </div>
      )}
      <Form method="post" className="mt-5 flex flex-wrap gap-3">
        <Button type="submit" name="intent" value="go-on" kind="primary" isPending={isPending}>
          Resume
        </Button>
        {canUndo && (
          <Button type="submit" name="intent" value="undo">
            Undo what was done
          </Button>
        )}
        <Button type="submit" name="intent" value="leave" kind="quiet">
          Leave as it is
        </Button>
      </Form>
    </section>
  )
}
