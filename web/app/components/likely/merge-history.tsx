import { Form, Link } from '@remix-run/react'
import type { MergeView } from '#core/duplicates/list-merges.query.ts'
import type { MergeBatchView } from '#core/duplicates/merge-batch-row.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { duplicateListOf } from '#core/warnings/warnings.rules.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Moment } from '../ui/formats.tsx'

interface MergeHistoryProps {
  merges: readonly MergeView[]
  batches: readonly MergeBatchView[]
  timeZone: string
}

/** The states of a bulk merge that has ended and has not been undone. */
const undoable: readonly MergeBatchView['state'][] = ['done', 'cancelled', 'failed']

/** Past merges, the newest first, with undo. */
export function MergeHistory({ merges, batches, timeZone }: MergeHistoryProps) {
  const runs = batches.filter(({ merged, canResume }) => merged > 0 || canResume)
  if (merges.length === 0 && runs.length === 0) {
    return <EmptyState title="Nothing has been merged yet">Merges are listed here and can be undone.</EmptyState>
  }
  return (
    <ul className="grid gap-3">
      {runs.map((batch) => (
        <li key={`run-${batch.id}`} className="card flex flex-wrap items-center justify-between gap-3 p-4">
          <div className="min-w-0">
            <p className="text-body font-medium">{runText(batch)}</p>
            <p className="text-table text-ink-2">
              <Moment at={batch.startedAt} timeZone={timeZone} />
              {`, ${countOf(batch.readersRemoved, 'record')} merged into others`}
              {batch.left > 0 &&
                `, ${countOf(batch.left, 'group')} left unchanged: changed in the meantime, possibly different readers, or with several running subscriptions`}
            </p>
            {batch.problem && <p className="text-table text-warning">{batch.problem}</p>}
          </div>
          <div className="flex flex-wrap items-center gap-2">
            {batch.canResume && (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="id" value={batch.id} />
                <Button
                  type="submit"
                  name="intent"
                  value="resume-run"
                  size="small"
                  aria-label={`Resume the bulk merge that has merged ${countOf(batch.merged, 'group')}`}
                >
                  Resume
                </Button>
              </Form>
            )}
            {batch.merged > 0 && [...undoable, 'undone'].includes(batch.state) && (
              <Undo
                isUndone={batch.undone > 0 && batch.state === 'undone'}
                canUndo={batch.undone < batch.merged && undoable.includes(batch.state)}
                intent="undo-run"
                id={batch.id}
                about={countOf(batch.merged, 'group')}
              />
            )}
          </div>
        </li>
      ))}
      {merges.map((merge) => (
        <li key={merge.id} className="card flex flex-wrap items-center justify-between gap-3 p-4">
          <div className="min-w-0">
            <p className="text-body font-medium wrap-anywhere">
              {merge.name ? (
                <Link to={`/editreader/${merge.survivorId}`} className="link">
                  {merge.name}
                </Link>
              ) : (
                'A reader who has since been removed'
              )}
            </p>
            <p className="text-table text-ink-2">
              <Moment at={merge.mergedAt} timeZone={timeZone} />
              {`, ${countOf(merge.removed, 'record')} merged into ${merge.uniqueReference || 'it'}`}
            </p>
          </div>
          <Undo
            isUndone={merge.undoneAt !== null}
            canUndo={merge.canUndo}
            intent="undo"
            id={merge.id}
            about={merge.name}
          />
        </li>
      ))}
    </ul>
  )
}

function runText({ of, merged, minConfidence }: MergeBatchView): string {
  const groups = countOf(merged, 'group')
  if (of === 'picked') return `${groups} selected from a list`
  if (of !== 'likely') return `${groups} with the same ${duplicateListOf(of).label}`
  return `${groups} that ${merged === 1 ? 'was' : 'were'} at least ${Math.floor(minConfidence * 100)}% sure`
}

interface UndoProps {
  isUndone: boolean
  canUndo: boolean
  intent: 'undo' | 'undo-run'
  id: number
  about: string
}

function Undo({ isUndone, canUndo, intent, id, about }: UndoProps) {
  if (isUndone) return <Badge>Undone</Badge>
  if (!canUndo) return <span className="text-table text-muted">Changed since: cannot be undone</span>
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <Button type="submit" name="intent" value={intent} size="small" aria-label={`Undo the merge of ${about}`}>
        Undo
      </Button>
    </Form>
  )
}
