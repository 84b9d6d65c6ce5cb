/** What storefronts say about accounts and forgotten passwords, in the words of the specification if it has any. */
export const buyerTexts = {
  emailExists: 'This email already has an account here. Log in under Returning Customers.',
  unknownUser: 'We cannot find a user with that email address in the system. Please try again or sign up to the right.',
  logInFirst: 'There have been too many wrong passwords for this email. Log in first, then order.',
} as const
