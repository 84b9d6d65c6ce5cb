/** Why an order or a sign-up was not paid (spec 1, section 8). */
export const paymentDeclinedMessage = 'Sorry your payment has been declined. Please try with another payment method'
