import { formatDay } from '#core/kernel/dates.ts'
import { formatMoney } from '#core/kernel/money.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { RenewalPrice } from '#core/renewals/renewal-prices.query.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Form, FormButtons, type Refusal, useForm } from '../ui/form.tsx'
import { DayText, Money } from '../ui/formats.tsx'
import { renewingPlanText } from './price-form.tsx'

interface PriceChangesProps {
  changes: readonly RenewalPrice[]
  /** Whether earlier changes may be left out. */
  isTruncated: boolean
  publicationId: number
  problem: Refusal | undefined
}

/** Price changes for renewals: their segment, the number of renewals changed, and a button to withdraw each. */
export function PriceChanges({ changes, isTruncated, publicationId, problem }: PriceChangesProps) {
  const columns: Column<RenewalPrice>[] = [
    { header: 'Plan', onCard: 'title', cell: (change) => renewingPlanText(change) },
    { header: 'For', cell: (change) => <span className="block md:max-w-44">{segmentText(change)}</span> },
    {
      header: 'New price',
      isNumber: true,
      cell: ({ newPrice: amount, currency }) => <Money value={{ amount, currency }} />,
    },
    { header: 'Takes effect', cell: ({ effectiveOn }) => <DayText day={effectiveOn} /> },
    {
      header: 'To be notified',
      isNumber: true,
      cell: ({ reach, currency }) =>
        reach && reach.agreements > 0 ? (
          <span>
            {formatCount(reach.agreements)}, <Money value={{ amount: reach.difference, currency }} /> per term
            {reach.firstNoticeOn && (
              <span className="block text-muted">
                from <DayText day={reach.firstNoticeOn} />
              </span>
            )}
          </span>
        ) : (
          '-'
        ),
    },
    { header: 'Announced', isNumber: true, cell: ({ announced }) => formatCount(announced) },
    { header: 'Charged', isNumber: true, cell: ({ charged }) => formatCount(charged) },
    {
      header: 'Set on',
      cell: ({ setOn, by }) => (
        <span>
          <DayText day={setOn} />
          {by && <span className="block text-muted">{by}</span>}
        </span>
      ),
    },
    {
      header: 'Actions',
      cell: (change) =>
        change.state === 'open' ? (
          <Withdraw change={change} publicationId={publicationId} problem={problem} />
        ) : (
          'Withdrawn'
        ),
    },
  ]
  return (
    <div className="space-y-2">
      <DataTable
        label="New renewal prices"
        columns={columns}
        rows={changes}
        rowKey={({ id }) => id}
        sort=""
        empty={null}
      />
      {isTruncated && <p className="text-table text-muted">Only the latest {changes.length} are shown.</p>}
    </div>
  )
}

function segmentText({ oldPrice, contractedBefore, effectiveOn, currency }: RenewalPrice): string {
  if (oldPrice !== null) return `Readers who pay ${formatMoney({ amount: oldPrice, currency })}`
  return contractedBefore < effectiveOn ? `Readers who agreed before ${formatDay(contractedBefore)}` : 'All'
}

function Withdraw({
  change: { id, announced },
  publicationId,
  problem,
}: Pick<PriceChangesProps, 'publicationId' | 'problem'> & { change: RenewalPrice }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'withdraw', id: String(id) },
    hidden: { publicationId: String(publicationId) },
    failure: 'Not withdrawn',
  })
  const announcedNote =
    announced > 0
      ? ` ${countOf(announced, 'renewal was', 'renewals were')} announced at this price, and will still be charged at this price.`
      : ''
  return (
    <Form form={form}>
      <FormButtons>
        <ConfirmButton
          form={form}
          label="Withdraw"
          title="Withdraw this price?"
          text={`Readers who have not been notified of it keep their price.${announcedNote}`}
          isDangerous
        />
      </FormButtons>
    </Form>
  )
}
