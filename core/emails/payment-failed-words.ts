/** How an order was taken back: the bank did not pay after all, or the money was given back. */
export type TakenBack = 'reversed' | 'refunded'

interface Words {
  headline: string
  paragraphs(facts: { publicationName: string; buyerName: string; hasTerm: boolean }): string[]
}

/** What is said to whom when a paid order was taken back. */
export const paymentFailedWords: Record<TakenBack, Record<'buyer' | 'publication', Words>> = {
  reversed: {
    buyer: {
      headline: 'Your payment could not be taken',
      paragraphs: ({ publicationName, hasTerm }) => [
        `Your bank did not pay for your order of ${publicationName}, so the order has been taken back${hasTerm ? ' and its subscription has ended' : ''}. Nothing more will be charged for it.`,
        'You can order again and pay by a card or another account. If you think that this is a mistake, please ask your bank first, then write to us.',
      ],
    },
    publication: {
      headline: 'An order was taken back: its payment failed',
      paragraphs: ({ buyerName, hasTerm }) => [
        `The bank did not pay for an order of ${buyerName} that was taken before.`,
        `The order has left your revenue${hasTerm ? ', its term has been taken off the reader’s record' : ''} and the buyer has been told how to pay.`,
      ],
    },
  },
  refunded: {
    buyer: {
      headline: 'Your money has been given back',
      paragraphs: ({ publicationName, hasTerm }) => [
        `The whole amount of your order of ${publicationName} has been given back${hasTerm ? ', and its subscription has ended' : ''}. It can take your bank some days to show it.`,
        'You are welcome to order again at any time.',
      ],
    },
    publication: {
      headline: 'An order was given back',
      paragraphs: ({ buyerName, hasTerm }) => [
        `The whole amount of an order of ${buyerName} has been given back at the payment provider.`,
        `The order has left your revenue${hasTerm ? ' and its term has been taken off the reader’s record' : ''}.`,
      ],
    },
  },
}
