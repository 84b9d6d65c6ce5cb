/** The texts that the specification prescribes for the forgotten-password pages and API calls, word for word. */
export const passwordTexts = {
  unknownUser: 'We cannot find a user with that email address in the system. Please try again.',
  linkSent: 'Thank you. An email has been sent to your entered email address with further instructions',
  badToken:
    "The token you have provided is either incorrect or has expired. Please try again if you'd like to continue with your password reset",
  passwordSet: 'Thank you. Your password has been successfully reset and a confirmation email has been sent.',
} as const
