import type { MailTranslator } from './mail-translator.ts'

/** How an order was reversed: the bank did not pay after all, or the order was refunded. */
export type ReversalKind = 'reversed' | 'refunded'

interface ReversalTexts {
  headline: string
  paragraphs: string[]
}

interface ReversedOrder {
  publicationName: string
  buyerName: string
  hasTerm: boolean
  /** The amount of a refunded order that is kept as credit; null if none is. */
  creditKept: string | null
}

/** The texts for the buyer. */
export function reversalTexts(
  t: MailTranslator,
  kind: ReversalKind,
  { publicationName, hasTerm, creditKept }: ReversedOrder,
): ReversalTexts {
  const values = { publication: publicationName }
  if (kind === 'reversed') {
    return {
      headline: t('Your payment could not be taken'),
      paragraphs: [
        hasTerm
          ? t(
              'Your bank did not pay for your order for {publication}, so the order has been cancelled and its subscription has ended. Nothing more will be charged for it.',
              values,
            )
          : t(
              'Your bank did not pay for your order for {publication}, so the order has been cancelled. Nothing more will be charged for it.',
              values,
            ),
        t(
          'You can order again and pay by card or from another account. If you think this is a mistake, please ask your bank first, then write to us.',
        ),
      ],
    }
  }
  if (creditKept !== null) {
    return {
      headline: t('Your credit'),
      paragraphs: [
        keptAsCreditText(t, creditKept, publicationName),
        ...(hasTerm ? [t('Its subscription has ended.')] : []),
      ],
    }
  }
  return {
    headline: t('Your money has been refunded'),
    paragraphs: [
      hasTerm
        ? t(
            'The whole amount of your order for {publication} has been refunded, and its subscription has ended. It can take your bank a few days to show it.',
            values,
          )
        : t(
            'The whole amount of your order for {publication} has been refunded. It can take your bank a few days to show it.',
            values,
          ),
      t('You are welcome to order again at any time.'),
    ],
  }
}

/** Says how much of an order is kept as credit. */
export function keptAsCreditText(t: MailTranslator, amount: string, publication: string): string {
  return t(
    '{amount} of your order for {publication} is kept as credit for a later order. To use it, please write to us before you order.',
    { amount, publication },
  )
}

/** The texts for the order address of the publication. */
export function reversalNotice(kind: ReversalKind, { buyerName, hasTerm, creditKept }: ReversedOrder): ReversalTexts {
  return kind === 'reversed'
    ? {
        headline: 'An order was reversed: its payment failed',
        paragraphs: [
          `The bank did not pay for an order from ${buyerName} that had been accepted.`,
          `The order no longer counts as revenue${hasTerm ? ', its term has been removed from the reader’s record' : ''} and the buyer has been told how to order again.`,
        ],
      }
    : {
        headline: 'An order was refunded',
        paragraphs: [
          creditKept === null
            ? `The whole amount of an order from ${buyerName} has been refunded.`
            : `${creditKept} of an order from ${buyerName} is kept as credit for a later order.`,
          `The order no longer counts as revenue${hasTerm ? ' and its term has been removed from the reader’s record' : ''}.`,
        ],
      }
}
