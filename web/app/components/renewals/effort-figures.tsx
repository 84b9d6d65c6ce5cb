import { formatCount } from '#core/kernel/text-format.ts'
import type { ListedEffort } from '#core/series/due-efforts.query.ts'
import type { CalendarDay, EffortCount } from '#core/series/preview-efforts.ts'
import { effortDay } from '#core/series/series.rules.ts'
import type { EffortResults, TextTest } from '#core/series/series-results.query.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Section } from '../ui/facts.tsx'
import { DayText, Money, monthName } from '../ui/formats.tsx'
import { channelNames, kindNames } from './effort-texts.ts'
import { deliveryColumns, recipientColumn } from './recipient-columns.tsx'

const previewColumns: Column<EffortCount>[] = [
  { header: 'Effort', onCard: 'title', cell: ({ dayOffset }) => effortDay(dayOffset) },
  { header: 'Kind', cell: ({ kind }) => kindNames[kind] },
  { header: 'Channel', cell: ({ channel }) => channelNames[channel] },
  { header: 'Readers', isNumber: true, cell: ({ readers }) => formatCount(readers) },
  {
    header: 'Left out',
    cell: ({ excluded }) =>
      excluded.length === 0 ? (
        'Nobody'
      ) : (
        <ul>
          {excluded.map(({ reason, text, readers }) => (
            <li key={reason}>
              {text}: {formatCount(readers)}
            </li>
          ))}
        </ul>
      ),
  },
]

/** The number of readers who get each effort on a day, and the reasons why others do not. */
export function PreviewTable({ efforts }: { efforts: readonly EffortCount[] }) {
  return (
    <DataTable
      label="Efforts on this day"
      columns={previewColumns}
      rows={efforts}
      rowKey={({ dayOffset }) => dayOffset}
      sort=""
      empty={
        <EmptyState title="No effort is due on this day">
          No subscription’s end date matches an effort of the series on this day.
        </EmptyState>
      }
    />
  )
}

const listedColumns: Column<ListedEffort>[] = [
  recipientColumn,
  { header: 'Effort', cell: ({ dayOffset }) => effortDay(dayOffset) },
  ...deliveryColumns,
]

/** The recipients of a day by effort, and the readers left out by reason. */
export function ListedEfforts({ rows }: { rows: readonly ListedEffort[] }) {
  return (
    <DataTable
      label="Readers on this day"
      columns={listedColumns}
      rows={rows}
      rowKey={({ readerId, dayOffset }) => `${readerId} ${dayOffset}`}
      sort=""
      empty={
        <EmptyState title="Nobody is due on this day">
          Readers who have already received an effort of this day are no longer listed.
        </EmptyState>
      }
    />
  )
}

type UpcomingEffort = CalendarDay['efforts'][number] & Pick<CalendarDay, 'on'>

const calendarColumns: Column<UpcomingEffort>[] = [
  { header: 'Day', onCard: 'title', cell: ({ on }) => <DayText day={on} /> },
  { header: 'Effort', cell: ({ dayOffset }) => effortDay(dayOffset) },
  { header: 'Kind', cell: ({ kind }) => kindNames[kind] },
  { header: 'Channel', cell: ({ channel }) => channelNames[channel] },
  { header: 'Readers', isNumber: true, cell: ({ readers }) => formatCount(readers) },
]

/** The efforts of the coming days, for the readers as they are now. */
export function CalendarTable({ days }: { days: readonly CalendarDay[] }) {
  const rows = days.flatMap(({ on, efforts }) => efforts.map((effort) => ({ ...effort, on })))
  return (
    <DataTable
      label="Upcoming efforts"
      columns={calendarColumns}
      rows={rows}
      rowKey={({ on, dayOffset }) => `${on} ${dayOffset}`}
      sort=""
      empty={<EmptyState title="Nothing is due in the next 90 days">No effort falls in this period.</EmptyState>}
    />
  )
}

const resultColumns: Column<EffortResults>[] = [
  { header: 'End', onCard: 'title', cell: ({ month }) => monthName(month) },
  { header: 'Effort', cell: ({ dayOffset }) => effortDay(dayOffset) },
  { header: 'Text', cell: ({ variant }) => variant.toUpperCase() },
  { header: 'Channel', cell: ({ channel }) => channelNames[channel] },
  { header: 'Planned', isNumber: true, cell: ({ planned }) => formatCount(planned) },
  { header: 'Sent', isNumber: true, cell: ({ sent }) => formatCount(sent) },
  { header: 'Link opened', isNumber: true, cell: ({ opened }) => formatCount(opened) },
  { header: 'Renewed', isNumber: true, cell: ({ renewed }) => formatCount(renewed) },
  {
    header: 'Revenue',
    isNumber: true,
    cell: ({ money }) =>
      money.length === 0
        ? '-'
        : money.map((value) => (
            <span key={value.currency} className="block">
              <Money value={value} />
            </span>
          )),
  },
]

/** Results of the efforts by the month in which the term ends, and of the A/B test of their texts. */
export function EffortResultsTable({
  efforts,
  tests,
}: {
  efforts: readonly EffortResults[]
  tests: readonly TextTest[]
}) {
  return (
    <div className="space-y-4">
      {tests.length > 0 && (
        <Section title="A/B test">
          <ul className="space-y-2 text-body">
            {tests.map((test) => (
              <li key={test.dayOffset}>
                <strong>{effortDay(test.dayOffset)}:</strong> {testText(test)}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <p className="max-w-prose text-table text-ink-2">
        By the month in which the subscription ended. A renewal counts for the effort whose link was used, otherwise for
        the last one within 60 days before it.
      </p>
      <DataTable
        label="Results of the efforts"
        columns={resultColumns}
        rows={efforts}
        rowKey={({ month, dayOffset, variant, kind, channel }) => [month, dayOffset, variant, kind, channel].join(' ')}
        sort=""
        empty={<EmptyState title="No effort has been planned yet">Its results are shown here from then on.</EmptyState>}
      />
    </div>
  )
}

/** "Text A: 12 of 100 renewed, text B: 9 of 98. Text A performs better. ..." */
function testText({ a, b, difference, better }: TextTest): string {
  const counts = `Text A: ${formatCount(a.renewed)} of ${formatCount(a.sent)} renewed, text B: ${formatCount(b.renewed)} of ${formatCount(b.sent)}.`
  if (difference === null) return `${counts} There are not enough results yet to say which is better.`
  const points = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}`
  const range = `With 95% confidence the renewal rate of A is between ${points(difference.low)} and ${points(difference.high)} percentage points above that of B (minus means below).`
  const verdict =
    better === null
      ? 'There are not enough results yet to say which is better.'
      : `Text ${better.toUpperCase()} performs better.`
  return `${counts} ${verdict} ${range}`
}
