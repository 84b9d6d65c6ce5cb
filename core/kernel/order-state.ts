/** `reversed`: a direct debit that failed after the order was paid. */
export type OrderState = 'pending' | 'paid' | 'declined' | 'cancelled' | 'refunded' | 'reversed'
