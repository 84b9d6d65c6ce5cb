import { type OptOuts, optOuts } from '#core/readers/opt-outs.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { Checkbox } from '../ui/inputs.tsx'
import { ShopSubmit } from './shop-fields.tsx'

type Choices = OptOuts & { reminders: boolean }

/** The marketing opt-outs, worded as on the order form. */
export function OffersForm({ chosen, problem }: { chosen: Choices; problem: Refusal | undefined }) {
  const t = useT()
  const form = useForm({ problem, isRestorable: true })
  return (
    <ShopCard>
      <Form form={form} className="space-y-5">
        <fieldset>
          <legend className="text-input text-ink-2">{t('Tick a box to opt out.')}</legend>
          <div className="mt-4 grid gap-4">
            {optOuts.map(({ field, label }) => (
              <Checkbox
                key={field}
                name={field}
                label={t(`No ${label.charAt(0).toLowerCase()}${label.slice(1)}`)}
                defaultChecked={problem ? problem.values?.[field] === 'on' : chosen[field]}
              />
            ))}
            <Checkbox
              name="reminders"
              label={t('No reminders that my subscription is ending')}
              defaultChecked={problem ? problem.values?.reminders === 'on' : chosen.reminders}
            />
          </div>
        </fieldset>
        <p className="text-body text-ink-2">
          {t('Essential emails about your subscription, such as receipts and renewal notices, are always sent.')}
        </p>
        <ShopSubmit>{t('Save')}</ShopSubmit>
      </Form>
    </ShopCard>
  )
}
