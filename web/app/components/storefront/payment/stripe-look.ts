import type { Appearance, StripeElementLocale } from '@stripe/stripe-js'

/** Styles Stripe's fields like the page's own. */
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

/** Appearance and language of a group of Stripe elements. */
export interface ElementsLook {
  locale: StripeElementLocale
  appearance: Appearance
}
