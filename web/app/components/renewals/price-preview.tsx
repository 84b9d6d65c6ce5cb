import { formatDay } from '#core/kernel/dates.ts'
import { formatMoney } from '#core/kernel/money.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { RenewalPricePreview } from '#core/renewals/change-renewal-price.ts'
import { Banner } from '../ui/banner.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Form, FormButtons, type Refusal, useForm } from '../ui/form.tsx'
import { DayText, Money } from '../ui/formats.tsx'
import { renewingPlanText } from './price-form.tsx'

interface PricePreviewProps {
  preview: RenewalPricePreview
  query: Readonly<Record<string, string>>
  problem: Refusal | undefined
}

/** The effect of a price change, with the button that confirms it. */
export function PricePreview({ preview, query, problem }: PricePreviewProps) {
  const { publicationId, publicationName, currency, newPrice, effectiveOn } = preview
  const { agreements, prices, difference, unchanged, firstChargeOn, firstNoticeOn } = preview
  const money = (amount: number) => formatMoney({ amount, currency })
  const form = useForm({
    problem,
    identifiedBy: { intent: 'confirm' },
    hidden: { ...query, publicationId: String(publicationId) },
    failure: 'Price not set',
  })
  const columns: Column<(typeof prices)[number]>[] = [
    {
      header: 'Price per term',
      onCard: 'title',
      cell: ({ price }) => <span className="numeric whitespace-nowrap">{`${money(price)} → ${money(newPrice)}`}</span>,
    },
    { header: 'Agreements', isNumber: true, cell: ({ agreements: count }) => formatCount(count) },
    {
      header: 'Difference per term',
      isNumber: true,
      cell: ({ price, agreements: count }) => <Money value={{ amount: (newPrice - price) * count, currency }} />,
    },
  ]
  return (
    <section id="preview" aria-labelledby="preview-title" className="card max-w-3xl scroll-mt-20 space-y-4 p-4 lg:p-6">
      <h2 id="preview-title" className="text-h3 font-semibold">
        {`${publicationName}: ${renewingPlanText(preview)}, ${money(newPrice)} from ${formatDay(effectiveOn)}`}
      </h2>
      {agreements === 0 ? (
        <Banner tone="warning" title="This would not change anyone’s price">
          {unchanged > 0
            ? `${countOf(unchanged, 'agreement already has', 'agreements already have')} this price.`
            : 'It matches no agreement, or a price set earlier takes precedence.'}
        </Banner>
      ) : (
        <Form form={form} className="space-y-4">
          <DataTable
            label="Current prices"
            columns={columns}
            rows={prices}
            rowKey={({ price }) => price}
            sort=""
            empty={null}
          />
          <Facts>
            <Fact label="Total difference per term">
              <Money value={{ amount: difference, currency }} />, for {countOf(agreements, 'agreement')}
            </Fact>
            <Fact label="First charge">
              <DayText day={firstChargeOn} />
            </Fact>
            <Fact label="Notices from">
              <DayText day={firstNoticeOn} />
            </Fact>
          </Facts>
          {unchanged > 0 && (
            <p className="text-body text-ink-2">
              {countOf(unchanged, 'agreement already has', 'agreements already have')} this price.
            </p>
          )}
          <FormButtons>
            <ConfirmButton
              form={form}
              label="Set this price"
              title={`Change the price of ${countOf(agreements, 'agreement')}?`}
              text={`${priceRange(prices, money)} → ${money(newPrice)} per term. First charge on ${dayOrDash(firstChargeOn)}, notices from ${dayOrDash(firstNoticeOn)}. Each reader is notified by email and can turn the renewal off before then. Storefront prices do not change.`}
            />
          </FormButtons>
        </Form>
      )}
    </section>
  )
}

const dayOrDash = (day: string | null) => (day ? formatDay(day) : '-')

/** "£25.00", or "£20.00 to £25.00". */
function priceRange(prices: PricePreviewProps['preview']['prices'], money: (amount: number) => string): string {
  const sorted = prices.map(({ price }) => price).sort((a, b) => a - b)
  const lowest = sorted[0] ?? 0
  const highest = sorted.at(-1) ?? lowest
  return lowest === highest ? money(lowest) : `${money(lowest)} to ${money(highest)}`
}
