import { z } from 'zod'
import { lookUpAddresses } from '#core/postcodes/look-up-addresses.ts'
import { type ApiTable, get } from './api-call.ts'

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
  ],
}
