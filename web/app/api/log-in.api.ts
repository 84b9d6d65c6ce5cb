import { z } from 'zod'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { issueApiToken } from '#core/users/api-token.ts'
import { checkReset } from '#core/users/check-reset.ts'
import { getAccountCaptcha } from '#core/users/get-account-captcha.query.ts'
import { requestReset } from '#core/users/request-reset.ts'
import { resetPassword } from '#core/users/reset-password.ts'
import { type ApiTable, byToken, get, post } from './api-call.ts'
import { WireCaptcha } from './captcha.wire.ts'

const TokenResponse = z.object({ token: z.string() })
const credentials = { email: 'email', password: 'password', code: 'code', captcha: 'captcha' }

/** Logging in and resetting a forgotten password. */
export const logInApi: ApiTable = {
  prefix: 'users',
  calls: [
    post({
      path: '/login',
      summary:
        'Log in as staff. The token goes into the Authorization header of other calls and is valid for eight hours. With two-step log-in send the six digits of the app, or a recovery code, as code; without it the response is 422 under that name. 403 where two-step log-in is required and not set up.',
      useCase: issueApiToken,
      body: credentials,
      fixed: { loginPage: 'staff' },
      response: TokenResponse,
      extraStatuses: [403],
    }),
    get({
      path: '/captcha',
      summary:
        'A captcha challenge for logging in and for requesting a new password, for staff and readers, valid for half an hour (ALTCHA, proof of work, version 2). It is required after many attempts at one account: without it the response is 422 under captcha.',
      useCase: getAccountCaptcha,
      response: WireCaptcha,
    }),
    post({
      path: '/slogin',
      summary: 'Log in as a superuser, with code as for other staff',
      useCase: issueApiToken,
      body: credentials,
      fixed: { loginPage: 'super' },
      response: TokenResponse,
      extraStatuses: [403],
    }),
    post({
      path: '/forgot',
      summary: 'Request an email with a link that sets a new password. The response for an unknown email: No such user',
      useCase: requestReset,
      body: { email: 'email', captcha: 'captcha' },
      response: z.string(),
      toResponse: ({ isKnown }) => (isKnown ? passwordTexts.linkSent : 'No such user'),
    }),
    get({
      path: '/reset/{token}',
      summary: 'Whether the token of an emailed link still sets a password: Valid or Invalid',
      useCase: checkReset,
      params: byToken,
      response: z.enum(['Valid', 'Invalid']),
      toResponse: (link) => (link ? 'Valid' : 'Invalid'),
    }),
    post({
      path: '/reset/{token}',
      summary: 'Set a new password with the token of an emailed link, once; all sessions and tokens of the user end',
      useCase: resetPassword,
      params: byToken,
      body: { password: 'password' },
      response: z.string(),
      toResponse: () => passwordTexts.passwordSet,
    }),
  ],
}
