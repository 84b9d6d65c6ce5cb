import { z } from 'zod'
import { getAccount } from '#core/accounts/get-account.query.ts'
import { paypalClientId } from '#core/accounts/paypal-client-id.query.ts'
import { saveAccount } from '#core/accounts/save-account.ts'
import { accountBody, WireAccount, wireAccount } from './account.wire.ts'
import { type ApiTable, get, post } from './api-call.ts'

/** The logged-in user's own account, which the specification files under users. */
export const ownAccountApi: ApiTable = {
  prefix: 'users',
  calls: [
    get({
      path: '',
      summary: "The logged-in user's own account. For secrets it only states whether they are set.",
      useCase: getAccount,
      response: WireAccount,
      toResponse: wireAccount,
    }),
    post({
      path: '/',
      summary:
        "Update the logged-in user's account: the fields that are sent, all or none. A new email or payment keys need currentPassword; a blank secret keeps the stored one, and remove in a group of keys clears it.",
      useCase: saveAccount,
      body: accountBody,
      response: WireAccount,
      toResponse: wireAccount,
    }),
  ],
}

export const accountApi: ApiTable = {
  prefix: 'account',
  calls: [
    get({
      // The number is there only because the specification has it: the publisher is always the caller's own.
      path: '/paypal/1',
      summary: "The acting publisher's PayPal client ID; empty when there is none",
      useCase: paypalClientId,
      response: z.string(),
    }),
  ],
}
