import type { MailTranslator } from './mail-translator.ts'

/** How an order was reversed: the bank did not pay after all, or the order was refunded. */
export type ReversalKind = 'reversed' | 'refunded'

interface ReversalTexts {
  headline: string
  paragraphs: string[]
}

interface About {
  publicationName: string
  buyerName: string
  hasTerm: boolean
  /** The part of a refunded order that is kept as credit; null if none is. */
  kept: string | null
}

/** The texts for the buyer. */
export function reversalTexts(
  t: MailTranslator,
  how: ReversalKind,
  { publicationName, hasTerm, kept }: About,
): ReversalTexts {
  const of = { publication: publicationName }
  if (how === 'reversed') {
    return {
      headline: t('Your payment could not be taken'),
      paragraphs: [
        hasTerm
          ? t(
              'Your bank did not pay for your order for {publication}, so the order has been cancelled and its subscription has ended. Nothing more will be charged for it.',
              of,
            )
          : t(
              'Your bank did not pay for your order for {publication}, so the order has been cancelled. Nothing more will be charged for it.',
              of,
            ),
        t(
          'You can order again and pay by card or from another account. If you think this is a mistake, please ask your bank first, then write to us.',
        ),
      ],
    }
  }
  if (kept !== null) {
    return {
      headline: t('Your credit'),
      paragraphs: [keptAsCreditText(t, kept, publicationName), ...(hasTerm ? [t('Its subscription has ended.')] : [])],
    }
  }
  return {
    headline: t('Your money has been refunded'),
    paragraphs: [
      hasTerm
        ? t(
            'The whole amount of your order for {publication} has been refunded, and its subscription has ended. It can take your bank a few days to show it.',
            of,
          )
        : t(
            'The whole amount of your order for {publication} has been refunded. It can take your bank a few days to show it.',
            of,
          ),
      t('You are welcome to order again at any time.'),
    ],
  }
}

/** Which part of an order is kept as credit. */
export function keptAsCreditText(t: MailTranslator, amount: string, publication: string): string {
  return t(
    '{amount} of your order for {publication} is kept as credit for a later order. To use it, please write to us before you order.',
    { amount, publication },
  )
}

/** The texts for the order address of the publication. */
export function reversalNotice(how: ReversalKind, { buyerName, hasTerm, kept }: About): ReversalTexts {
  return how === 'reversed'
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
          kept === null
            ? `The whole amount of an order from ${buyerName} has been refunded.`
            : `${kept} of an order from ${buyerName} is kept as credit for a later order.`,
          `The order no longer counts as revenue${hasTerm ? ' and its term has been removed from the reader’s record' : ''}.`,
        ],
      }
}
