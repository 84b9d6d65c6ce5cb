import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { ShopSubmit, ShopTextField } from './shop-fields.tsx'

/** The card form of the demo bank: a card number only. */
export function DemoCardForm({
  label,
  intro,
  problem,
  hidden = {},
}: {
  label: string
  intro: string
  problem: Refusal | undefined
  /** The names and values of hidden fields. */
  hidden?: Readonly<Record<string, string>>
}) {
  const t = useT()
  const form = useForm({ problem, hidden, labels: { reference: t('Card number') } })
  return (
    <ShopCard heading={t('Another card')}>
      <Form form={form} className="space-y-5">
        <p className="text-input">{intro}</p>
        <ShopTextField name="reference" isRequired inputMode="numeric" autoComplete="off" maxLength={30} />
        <ShopSubmit>{label}</ShopSubmit>
      </Form>
    </ShopCard>
  )
}
