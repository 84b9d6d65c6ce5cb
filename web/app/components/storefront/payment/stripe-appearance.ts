import type { Appearance, StripeElementLocale } from '@stripe/stripe-js'

/** Styles Stripe's fields like the page's own. */
export const stripeAppearance: Appearance = {
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
export interface ElementsOptions {
  locale: StripeElementLocale
  appearance: Appearance
}
