import { Form, useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'
import type { LikelySearchView } from '#core/duplicates/likely-search-row.ts'
import type { MergeBatchView } from '#core/duplicates/merge-batch-row.ts'
import { countOf, formatCount } from '#core/kernel/words.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'

interface UnderWayProps {
  search: LikelySearchView | null
  batch: MergeBatchView | null
}

const phases: Record<string, string> = {
  reading: 'Reading the records',
  searching: 'Looking for records that are alike',
  comparing: 'Comparing them',
  grouping: 'Making groups',
}

/** What the worker is doing, looked at every two seconds; it goes on when the page is left. */
export function UnderWay({ search, batch }: UnderWayProps) {
  const isRunning = search?.state === 'waiting' || search?.state === 'running' || isBusy(batch)
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!isRunning || state !== 'idle') return
    const timer = setTimeout(revalidate, 2000)
    return () => clearTimeout(timer)
  }, [isRunning, revalidate, state])
  if (isBusy(batch)) return <BatchRunning batch={batch} />
  if (search?.state === 'failed') {
    return (
      <Banner tone="danger" title="The last search failed">
        {search.problem ?? 'Please search again.'}
      </Banner>
    )
  }
  if (!isRunning || !search) return null
  const read = search.readers > 0 ? `${formatCount(search.readers)} read. ` : ''
  return (
    <Running
      title={
        search.state === 'waiting' ? 'The search will begin in a moment' : `${phases[search.phase] ?? 'Searching'} …`
      }
      part={search.phase === 'reading' ? null : search.part}
      stop="Stop the search"
    >
      {`${read}You may leave this page: the search goes on.`}
    </Running>
  )
}

function isBusy(batch: MergeBatchView | null): batch is MergeBatchView {
  return batch !== null && ['waiting', 'running', 'undoing'].includes(batch.state)
}

function BatchRunning({ batch }: { batch: MergeBatchView }) {
  if (batch.state === 'undoing') {
    return (
      <Running title="Undoing the merges …" part={batch.undone / Math.max(1, batch.merged)} stop="Stop undoing">
        {`${formatCount(batch.undone)} of ${countOf(batch.merged, 'group')}.`}
      </Running>
    )
  }
  const done = batch.merged + batch.left
  return (
    <Running title="Merging …" part={done / Math.max(1, batch.groups)} stop="Stop merging">
      {`${formatCount(done)} of ${countOf(batch.groups, 'group')}. You may leave this page: it goes on.`}
    </Running>
  )
}

function Running({
  title,
  part,
  stop,
  children,
}: {
  title: string
  part: number | null
  stop: string
  children: string
}) {
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
      <p role="status">{children}</p>
      <progress
        aria-label={title}
        className="mt-2 h-2 w-full accent-primary"
        {...(part === null ? {} : { value: part })}
        max={1}
      />
    </Banner>
  )
}
