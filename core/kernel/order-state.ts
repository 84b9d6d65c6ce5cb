/** `reversed`: a direct debit failed, or a dispute was lost, after the order had counted as paid. */
export type OrderState = 'pending' | 'paid' | 'declined' | 'cancelled' | 'refunded' | 'reversed'
