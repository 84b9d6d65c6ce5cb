import type { ReactNode } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from '../ui/banner.tsx'
import { fieldId } from '../ui/field.tsx'

/** Shown instead of the form where nothing is sold in the chosen country, with a link to the country field. */
export function NoPrices({ isOneCountry, children }: { isOneCountry: boolean; children: ReactNode }) {
  const t = useT()
  return (
    <Banner tone="warning" title={t('Not sold in this country')}>
      <p>{children}</p>
      {!isOneCountry && (
        <p className="for-scripts mt-1">
          <a
            href={`#${fieldId('country')}`}
            className="inline-block min-h-6 font-medium text-ink underline underline-offset-3"
          >
            {t('Choose another country')}
          </a>
        </p>
      )}
    </Banner>
  )
}
