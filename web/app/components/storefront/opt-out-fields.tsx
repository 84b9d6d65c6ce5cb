import { type OptOuts, optOuts } from '#core/readers/opt-outs.rules.ts'
import { phrase } from '../../i18n/phrase.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Checkbox } from '../ui/inputs.tsx'
import { Disclosure } from './disclosure.tsx'
import type { FormState } from './text-field.tsx'

const labels: Record<keyof OptOuts, string> = {
  pubOffers: phrase('No publication offers by email'),
  pubOffersPost: phrase('No publication offers by post'),
  pubOffersTel: phrase('No publication offers by telephone'),
  pubOffersSms: phrase('No publication offers by SMS'),
  partnerOffers: phrase('No partner offers by email'),
  partnerOffersPost: phrase('No partner offers by post'),
  partnerOffersTel: phrase('No partner offers by telephone'),
  partnerOffersSms: phrase('No partner offers by SMS'),
}

/** The eight opt-outs, ticked by default. The hidden field before each sends `false` when its box is unticked. */
export function OptOutFields({ form }: { form: FormState }) {
  const t = useT()
  return (
    <Disclosure label={t('Offers and news: choose what you hear from us')}>
      <fieldset className="pt-2">
        <legend className="text-body text-ink-2">{t('Tick a box to opt out.')}</legend>
        <div className="mt-3 grid gap-3 sm:grid-cols-2">
          {optOuts.map(({ field }) => (
            <div key={field}>
              <input type="hidden" name={`optOuts.${field}`} value="false" />
              <Checkbox
                name={`optOuts.${field}`}
                value="true"
                label={t(labels[field])}
                defaultChecked={form.values[`optOuts.${field}`] !== 'false'}
              />
            </div>
          ))}
        </div>
      </fieldset>
    </Disclosure>
  )
}
