import { z } from 'zod'
import { visitorCountry } from '#core/storefronts/visitor-country.query.ts'
import { type ApiTable, get } from './api-call.ts'

export const externalApi: ApiTable = {
  prefix: 'external',
  calls: [
    get({
      path: '/country',
      summary: "The caller's country according to its headers; GB if they do not say",
      useCase: visitorCountry,
      response: z.object({ code: z.string().length(2), country: z.string() }),
    }),
  ],
}
