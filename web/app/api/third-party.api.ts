import { z } from 'zod'
import { checkSubscriber } from '#core/partners/check-subscriber.ts'
import { lookUpEntitlement } from '#core/partners/look-up-entitlement.ts'
import { lookUpAddresses } from '#core/postcodes/look-up-addresses.ts'
import { type ApiTable, get, post } from './api-call.ts'
import { WireCheckedSubscriber, WireEntitlement, wireCheckedSubscriber, wireEntitlement } from './third-party.wire.ts'

export const thirdPartyApi: ApiTable = {
  prefix: 'thirdparty',
  calls: [
    get({
      path: '/postcodelookup/{postcode}',
      summary:
        'The addresses of a British postcode, each as lines, town and county with commas between them; 404 when none is known. Asking is limited. Every failure also says Message, Bad Request.',
      useCase: lookUpAddresses,
      params: { postcode: { is: 'text', field: 'postCode' } },
      response: z.object({ addresses: z.array(z.string()) }),
      alsoInErrors: { Message: 'Bad Request' },
      alsoAnswers: [404, 422],
    }),
    post({
      path: '/checksubscriber',
      summary:
        'Whether an email and password belong to a subscriber with a running digital edition, by a key of the publication: in key, or in the Authorization header',
      useCase: checkSubscriber,
      body: { key: 'key', email: 'email', password: 'password' },
      response: WireCheckedSubscriber,
      answer: wireCheckedSubscriber,
      alsoAnswers: [403],
    }),
    post({
      path: '/entitlement',
      summary:
        'Whether the reader with an email may read the digital edition, by a key with that scope in the Authorization header',
      useCase: lookUpEntitlement,
      body: { email: 'email' },
      response: WireEntitlement,
      answer: wireEntitlement,
    }),
  ],
}
