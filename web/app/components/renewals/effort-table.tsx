import { Link } from '@remix-run/react'
import { effortDay } from '#core/series/series.rules.ts'
import type { SeriesSettings } from '#core/series/series-settings.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Form, FormButtons, type Refusal, useForm } from '../ui/form.tsx'
import { channelNames, kindNames, offerText } from './effort-texts.ts'

type ListedEffort = SeriesSettings['efforts'][number]

interface EffortTableProps {
  publicationId: number
  efforts: readonly ListedEffort[]
  problem: Refusal | undefined
}

/** The efforts of a series, the earliest first. */
export function EffortTable({ publicationId, efforts, problem }: EffortTableProps) {
  const columns: Column<ListedEffort>[] = [
    {
      header: 'When',
      onCard: 'title',
      cell: ({ dayOffset }) => (
        <Link
          to={`/renewals/series?publication=${publicationId}&effort=${dayOffset}`}
          className="link font-medium"
          title={`Edit the effort ${effortDay(dayOffset).toLowerCase()}`}
        >
          {effortDay(dayOffset)}
        </Link>
      ),
    },
    { header: 'Kind', cell: ({ kind }) => kindNames[kind] },
    { header: 'Channel', cell: ({ channel }) => channelNames[channel] },
    {
      header: 'Subject',
      cell: ({ subject, body }) => (
        <span className="block wrap-anywhere md:max-w-72">
          {subject || (body ? 'Standard subject, own text' : 'Standard text')}
        </span>
      ),
    },
    { header: 'Offer', cell: (effort) => offerText(effort) },
    { header: 'A/B', cell: ({ subjectB, bodyB }) => (subjectB || bodyB ? 'Two texts' : '-') },
    {
      header: 'Actions',
      cell: ({ dayOffset }) => <RemoveEffort publicationId={publicationId} dayOffset={dayOffset} problem={problem} />,
    },
  ]
  return (
    <DataTable
      label="Efforts"
      columns={columns}
      rows={efforts}
      rowKey={({ dayOffset }) => dayOffset}
      sort=""
      empty={<p className="text-body text-ink-2">No efforts yet.</p>}
    />
  )
}

function RemoveEffort({
  publicationId,
  dayOffset,
  problem,
}: {
  publicationId: number
  dayOffset: number
  problem: Refusal | undefined
}) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'remove', dayOffset: String(dayOffset) },
    hidden: { publicationId: String(publicationId) },
    failure: 'Effort not removed',
  })
  return (
    <Form form={form}>
      <FormButtons>
        <ConfirmButton
          form={form}
          size="small"
          label="Remove"
          title={`Remove the effort ${effortDay(dayOffset).toLowerCase()}?`}
          text="Its text and offer are deleted. Emails that were sent keep their links."
          isDangerous
        />
      </FormButtons>
    </Form>
  )
}
