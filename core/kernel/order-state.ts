/** `reversed`: a direct debit that failed after the order had counted as paid. */
export type OrderState = 'pending' | 'paid' | 'declined' | 'cancelled' | 'refunded' | 'reversed'
