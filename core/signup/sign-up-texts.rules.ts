/** Sentences that the pages of a sign-up use too (spec 1, section 8). */
export const declinedPayment = 'Sorry your payment has been declined. Please try with another payment method'
export const moreThanTen = 'For more than 10 Publications, please Contact Us'
