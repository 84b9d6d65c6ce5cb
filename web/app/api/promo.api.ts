import { z } from 'zod'
import { createPromo } from '#core/promos/create-promo.ts'
import { deletePromo } from '#core/promos/delete-promo.ts'
import { findShopPromo } from '#core/promos/find-shop-promo.query.ts'
import { getPromo } from '#core/promos/get-promo.query.ts'
import { listPromos } from '#core/promos/list-promos.query.ts'
import { updatePromo } from '#core/promos/update-promo.ts'
import { type ApiTable, del, get, post } from './api-call.ts'
import {
  changedPromoBody,
  newPromoBody,
  WireListedPromo,
  WirePromo,
  WireShopPromo,
  wirePromo,
  wireShopPromo,
} from './promo.wire.ts'
import { WireId } from './wire-values.ts'

export const promoApi: ApiTable = {
  prefix: 'publication',
  calls: [
    get({
      path: '/promo/{id}',
      summary: 'The promo codes of a publication, by its id, newest first, with the state of each today',
      useCase: listPromos,
      params: { id: { is: 'id', field: 'publicationId' } },
      response: z.array(WireListedPromo),
      toResponse: ({ promos }) => promos.map(wirePromo),
    }),
    del({
      path: '/promo/{id}',
      summary: 'Delete a promo code, by its own id: it no longer works; orders that used it keep it',
      useCase: deletePromo,
      params: { id: { is: 'id', field: 'id' } },
      response: z.object({ _id: WireId }),
      toResponse: ({ id }) => ({ _id: id }),
    }),
    post({
      path: '/promo',
      summary:
        'Add a promo code. Days are DD-MM-YYYY; a blank start is today, a blank end is no end, blank uses are unlimited. Without applicableProducts it is valid for all; a flag left out of it is false.',
      useCase: createPromo,
      body: newPromoBody,
      response: WirePromo,
      toResponse: wirePromo,
      status: 201,
      extraStatuses: [404],
    }),
    get({
      path: '/promo/getpromodets/{id}',
      summary: 'One promo code, by its own id, inside its publication',
      useCase: getPromo,
      params: { id: { is: 'id', field: 'id' } },
      response: z.array(z.object({ _id: WireId, promoCodes: z.array(WirePromo) })),
      toResponse: (promo) => [{ _id: promo.publicationId, promoCodes: [wirePromo(promo)] }],
    }),
    post({
      path: '/promo/getpromo',
      summary: 'A promo code by the text a buyer typed, with its conditions; 404 when there is none',
      useCase: findShopPromo,
      body: { publication: 'publicationId', code: 'code' },
      response: z.object({ promoCodes: z.array(WireShopPromo) }),
      toResponse: (promo) => ({ promoCodes: [wireShopPromo(promo)] }),
      extraStatuses: [404],
    }),
    post({
      path: '/updatepromo',
      summary:
        'Change a promo code: all its fields are replaced. The start cannot change, and applicableProducts stays unless it is sent.',
      useCase: updatePromo,
      body: changedPromoBody,
      response: WirePromo,
      toResponse: wirePromo,
      extraStatuses: [404],
    }),
  ],
}
