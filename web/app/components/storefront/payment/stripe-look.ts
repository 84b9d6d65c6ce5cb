import type { Appearance, StripeElementLocale } from '@stripe/stripe-js'

/** Stripe's fields in the look of the page's own. */
export const stripeLook: Appearance = {
  theme: 'stripe',
  variables: {
    borderRadius: '4px',
    colorText: '#17202a',
    colorDanger: '#b3261e',
    fontSizeBase: '16px',
    spacingUnit: '4px',
  },
}

/** How a group of fields looks and speaks. */
export interface ElementsLook {
  locale: StripeElementLocale
  appearance: Appearance
}
