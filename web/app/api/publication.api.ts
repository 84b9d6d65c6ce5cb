import { z } from 'zod'
import { topBarFigures } from '#core/analytics/top-bar.query.ts'
import { getStorefront } from '#core/publications/get-storefront.query.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { type ApiTable, get } from './api-call.ts'
import { WirePublication, WireStorefront, wirePublication, wireStorefront } from './publication.wire.ts'

export const publicationApi: ApiTable = {
  prefix: 'publication',
  calls: [
    get({
      path: '/getpublicationbyurl/{urlKey}',
      summary:
        'A storefront by its handle, with prices for the United Kingdom, the dollar countries (US) and the euro countries (EU)',
      useCase: getStorefront,
      params: { urlKey: { is: 'text', field: 'urlKey' } },
      response: WireStorefront,
      answer: wireStorefront,
      alsoAnswers: [410],
    }),
    get({
      path: '/totalpublications/{id}',
      summary: 'How many titles the signed-in publisher has',
      useCase: topBarFigures,
      params: { id: { is: 'own' } },
      response: z.object({ count: z.int() }),
      answer: ({ titles }) => ({ count: titles }),
    }),
    get({
      path: '/{userId}',
      summary: "The signed-in publisher's publications",
      useCase: listPublications,
      // The use-case also serves the pages of those who may only download; this call gives more away.
      permission: 'publication:read',
      params: { userId: { is: 'own' } },
      response: z.array(WirePublication),
      answer: (publications) => publications.map(wirePublication),
    }),
  ],
}
