import { Form, useNavigation } from '@remix-run/react'
import { type OptOuts, optOuts } from '#core/readers/opt-outs.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopButton } from '../storefront/shop-button.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Checkbox } from '../ui/inputs.tsx'
import { Refusal, type Refused } from './refusal.tsx'

/** What a reader does not want to hear of, as the order form asks it. */
export function OffersForm({ chosen, problem }: { chosen: OptOuts; problem: Refused | undefined }) {
  const t = useT()
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <ShopCard>
      <Form method="post" noValidate className="space-y-5">
        <Refusal problem={problem} />
        <fieldset>
          <legend className="text-input text-ink-2">{t('A ticked box means you do not want it.')}</legend>
          <div className="mt-4 grid gap-4">
            {optOuts.map(({ field, label }) => (
              <Checkbox
                key={field}
                name={field}
                label={t(`No ${label.charAt(0).toLowerCase()}${label.slice(1)}`)}
                defaultChecked={chosen[field]}
              />
            ))}
          </div>
        </fieldset>
        <p className="text-body text-ink-2">
          {t('What your subscription itself needs, such as receipts and renewals, is sent in any case.')}
        </p>
        <ShopButton isPending={isPending}>{t('Save')}</ShopButton>
      </Form>
    </ShopCard>
  )
}
