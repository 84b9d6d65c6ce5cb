/** The refusal of more titles than a plan can have, for the use case and the page (spec 1, section 8). */
export const moreThanTen = 'For more than 10 Publications, please Contact Us'
