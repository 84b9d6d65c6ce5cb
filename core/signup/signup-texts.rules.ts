/** Texts shared by the use cases and the pages of the sign-up (spec 1, section 8). */
export const declinedPayment = 'Sorry your payment has been declined. Please try with another payment method'
export const moreThanTen = 'For more than 10 Publications, please Contact Us'
