import { z } from 'zod'
import { changeDeliveryAddress } from '#core/buyers/change-delivery-address.ts'
import { checkBuyerEmail } from '#core/buyers/check-buyer-email.ts'
import { checkBuyerReset } from '#core/buyers/check-buyer-reset.ts'
import { issueBuyerToken } from '#core/buyers/issue-buyer-token.ts'
import { requestBuyerReset } from '#core/buyers/request-buyer-reset.ts'
import { resetBuyerPassword } from '#core/buyers/reset-buyer-password.ts'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { type ApiTable, byToken, get, post } from './api-call.ts'
import { shippingBody, WireBuyer, WireShipping, wireBuyer, wireShipping } from './buyer.wire.ts'

/** Buyers, who have an account at a publication: log-in, account and password reset. */
export const buyerApi: ApiTable = {
  prefix: 'order',
  calls: [
    post({
      path: '/buyerlogin',
      summary:
        'Log in as a returning reader of one publication. The response fills the order form; its jwt goes into the Authorization header of the reader’s own calls and is not valid at another publication or in a call for staff.',
      useCase: issueBuyerToken,
      body: { email: 'email', password: 'password', publicationID: 'publicationId', captcha: 'captcha' },
      response: WireBuyer,
      toResponse: wireBuyer,
      extraStatuses: [404, 410],
    }),
    post({
      path: '/forgot',
      summary:
        'Request an email with a link that sets a new password at a publication. The response for an email that has no account there: No such user',
      useCase: requestBuyerReset,
      body: { email: 'email', publicationID: 'publicationId', captcha: 'captcha' },
      response: z.string(),
      toResponse: ({ isKnown }) => (isKnown ? passwordTexts.linkSent : 'No such user'),
      extraStatuses: [404, 410],
    }),
    get({
      path: '/reset/{token}',
      summary: 'Whether the token of an emailed link still sets a reader’s password: Valid or Invalid',
      useCase: checkBuyerReset,
      params: byToken,
      response: z.enum(['Valid', 'Invalid']),
      toResponse: ({ email }) => (email ? 'Valid' : 'Invalid'),
    }),
    post({
      path: '/reset/{token}',
      summary:
        'Set a reader’s new password with the token of an emailed link, once; all sessions and tokens of the reader end',
      useCase: resetBuyerPassword,
      params: byToken,
      body: { password: 'password' },
      response: z.string(),
      toResponse: () => passwordTexts.passwordSet,
    }),
    get({
      path: '/email/{email}/{publicationID}',
      summary: 'Whether an email has no account yet at a publication; 409 when it has. Rate-limited.',
      useCase: checkBuyerEmail,
      params: { email: { is: 'text', field: 'email' }, publicationID: { is: 'id', field: 'publicationId' } },
      response: z.object({ data: z.literal('success') }),
      toResponse: () => ({ data: 'success' }),
      extraStatuses: [409, 410],
    }),
    post({
      path: '/buyer/address',
      summary: 'Change where the logged-in buyer’s copies are posted. The country stays the one that was paid for.',
      useCase: changeDeliveryAddress,
      body: shippingBody,
      response: WireShipping,
      toResponse: wireShipping,
      extraStatuses: [409],
    }),
  ],
}
