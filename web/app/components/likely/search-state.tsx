import { Form } from '@remix-run/react'
import type { LikelySearchView } from '#core/duplicates/likely-search-row.ts'
import type { MergeBatchView } from '#core/duplicates/merge-batch-row.ts'
import { progressText, type WorkProgress } from '#core/kernel/progress-text.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { usePolling } from '../ui/use-polling.ts'
import { useSecondsLeft } from '../ui/use-seconds-left.ts'

interface SearchProgressProps {
  search: LikelySearchView | null
  batch: MergeBatchView | null
}

const phases: Record<string, string> = {
  reading: 'Reading the records…',
  searching: 'Searching for similar records…',
  comparing: 'Comparing similar records…',
  grouping: 'Grouping the duplicates…',
}

/** The progress of the search, polled every two seconds; the worker continues when the page is left. */
export function SearchProgress({ search, batch }: SearchProgressProps) {
  const isRunning = search?.state === 'waiting' || search?.state === 'running' || isBusy(batch)
  usePolling(isRunning, 2000)
  if (isBusy(batch)) return <BatchRunning batch={batch} />
  if (search?.state === 'failed') {
    return (
      <Banner tone="danger" title="The last search failed">
        {search.problem ?? 'Please search again.'}
      </Banner>
    )
  }
  if (!isRunning || !search) return null
  const { phase, readers } = search
  const isReading = phase === 'reading'
  return (
    <Running
      title={search.state === 'waiting' ? 'The search will start in a moment' : (phases[phase] ?? 'Searching…')}
      // The total is known once the readers have been read.
      progress={{
        phase,
        done: isReading ? readers : Math.round(readers * search.part),
        total: isReading ? 0 : readers,
        // Only the start of the first phase is stored.
        seconds: null,
        unit: 'readers',
      }}
      stop="Stop the search"
    >
      You may leave this page: the search continues.
    </Running>
  )
}

function isBusy(batch: MergeBatchView | null): batch is MergeBatchView {
  return batch !== null && ['waiting', 'running', 'undoing'].includes(batch.state)
}

function BatchRunning({ batch }: { batch: MergeBatchView }) {
  if (batch.state === 'undoing') {
    return (
      <Running
        title="Undoing the merges…"
        progress={{ phase: 'undoing', done: batch.undone, total: batch.merged, seconds: batch.seconds, unit: 'groups' }}
        stop="Stop undoing"
      >
        You may leave this page: the undo continues.
      </Running>
    )
  }
  return (
    <Running
      title="Merging…"
      progress={{
        phase: 'merging',
        done: batch.merged + batch.left,
        total: batch.groups,
        seconds: batch.seconds,
        unit: 'groups',
      }}
      stop="Stop merging"
    >
      You may leave this page: the merge continues.
    </Running>
  )
}

interface RunningProps {
  title: string
  progress: WorkProgress & { unit: string }
  stop: string
  children: string
}

function Running({ title, progress, stop, children }: RunningProps) {
  const { done, total } = progress
  const secondsLeft = useSecondsLeft(progress)
  return (
    <Banner
      title={title}
      action={
        <Form method="post">
          <Button type="submit" name="intent" value="stop" size="small">
            {stop}
          </Button>
        </Form>
      }
    >
      <p role="status" className="numeric">
        {done > 0 && progressText({ ...progress, secondsLeft })}
      </p>
      <p>{children}</p>
      <progress
        aria-label={title}
        className="mt-2 h-2 w-full accent-primary"
        {...(total === 0 ? {} : { value: Math.min(done, total), max: total })}
      />
    </Banner>
  )
}
