import { z } from 'zod'
import { topBarFigures } from '#core/analytics/top-bar.query.ts'
import { saveMailText } from '#core/emails/save-mail-text.ts'
import { makeApiKey } from '#core/partners/make-api-key.ts'
import { checkHandle } from '#core/publications/check-handle.query.ts'
import { countPageView } from '#core/publications/count-page-view.ts'
import { createPublication } from '#core/publications/create-publication.ts'
import { editPublication } from '#core/publications/edit-publication.ts'
import { getPublicationFields } from '#core/publications/get-publication-fields.query.ts'
import { getTitleQuota } from '#core/publications/get-title-quota.query.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { paypalDetails } from '#core/publications/paypal-details.query.ts'
import { removePublication } from '#core/publications/remove-publication.ts'
import { publicationWireNames } from '#core/publications/wire-names.rules.ts'
import { getStorefront } from '#core/storefronts/get-storefront.query.ts'
import { type ApiTable, get, post } from './api-call.ts'
import { changedPublicationBody, WireOwnPublication, wireOwnPublication } from './own-publication.wire.ts'
import { WirePublication, WireStorefront, wirePublication, wireStorefront } from './publication.wire.ts'
import { WireId } from './wire-values.ts'

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
      toResponse: wireStorefront,
      extraStatuses: [410],
    }),
    get({
      path: '/totalpublications/{id}',
      summary: 'How many titles the logged-in publisher has',
      useCase: topBarFigures,
      params: { id: { is: 'own' } },
      response: z.object({ count: z.int() }),
      toResponse: ({ titles }) => ({ count: titles }),
    }),
    get({
      path: '/backIssue/{userId}',
      summary: "The logged-in publisher's publications that sell back issues",
      useCase: listPublications,
      permission: 'back-issue:read',
      params: { userId: { is: 'own' } },
      fixed: { sellsBackIssues: true },
      response: z.array(WirePublication),
      toResponse: (publications) => publications.map(wirePublication),
    }),
    get({
      path: '/getpublication/{id}',
      summary: 'One publication with all its fields: what can be changed and sent to updatepublication',
      useCase: getPublicationFields,
      params: { id: { is: 'id', field: 'id' } },
      response: WireOwnPublication,
      toResponse: wireOwnPublication,
    }),
    get({
      path: '/getnumberpublication/{userId}',
      summary: 'How many titles the logged-in publisher may have, and how many there are',
      useCase: getTitleQuota,
      params: { userId: { is: 'own' } },
      response: z.object({ numberOfPublications: z.int(), used: z.int() }),
      toResponse: ({ allowed, used }) => ({ numberOfPublications: allowed, used }),
    }),
    get({
      path: '/checkurlkey/{urlKey}',
      summary: 'Whether a handle is available, ignoring case; 409 when it is taken',
      useCase: checkHandle,
      params: { urlKey: { is: 'text', field: 'urlKey' } },
      response: z.object({ data: z.literal('success') }),
      toResponse: () => ({ data: 'success' }),
      extraStatuses: [409],
    }),
    ...(['GET', 'POST'] as const).map((method) =>
      (method === 'GET' ? get : post)({
        path: '/updatepageviews/{publicationId}',
        summary: 'Count a view of a storefront. Bots are not counted, and visitors are not identified.',
        useCase: countPageView,
        params: { publicationId: { is: 'id', field: 'publicationId' } },
        response: z.object({ counted: z.boolean() }),
        toResponse: ({ isCounted }) => ({ counted: isCounted }),
      }),
    ),
    get({
      path: '/paypaldetails/{id}',
      summary: "The client id for a storefront's PayPal button, by the publication's id; empty without PayPal",
      useCase: paypalDetails,
      params: { id: { is: 'id', field: 'publicationId' } },
      response: z.object({ payPalString: z.string() }),
      toResponse: ({ clientId }) => ({ payPalString: clientId }),
    }),
    ...(['GET', 'POST'] as const).map((method) =>
      (method === 'GET' ? get : post)({
        path: '/generateuserkey/{pubId}',
        summary:
          "Create a publication's key for the subscriber check; the previous one works for another day, and its expiry is returned",
        useCase: makeApiKey,
        params: { pubId: { is: 'id', field: 'publicationId' } },
        changes: true,
        response: z.object({ userkey: z.string(), previousEndsAt: z.iso.datetime().nullable() }),
        toResponse: ({ key, previousEndsAt }) => ({
          userkey: key,
          previousEndsAt: previousEndsAt?.toISOString() ?? null,
        }),
      }),
    ),
    ...Object.entries({ receipt: 'order-receipt', renewal: 'renewal-reminder' }).map(([name, mail]) =>
      post({
        path: `/update${name}text`,
        summary: `Change the text of a publication's ${name} email; blank restores the standard text`,
        useCase: saveMailText,
        body: { _id: 'publicationId', receiptText: 'body' },
        fixed: { mail },
        response: z.object({ _id: WireId, receiptText: z.string() }),
        toResponse: ({ publicationId, body }) => ({ _id: publicationId, receiptText: body }),
        extraStatuses: [404],
      }),
    ),
    post({
      path: '',
      summary:
        'Add a publication: its storefront opens at once. Each price has its own field, such as priceOneYear; a plan whose price is omitted is not for sale.',
      useCase: createPublication,
      body: publicationWireNames,
      response: z.object({ _id: WireId, urlKey: z.string() }),
      toResponse: ({ id, urlKey }) => ({ _id: id, urlKey }),
      status: 201,
      extraStatuses: [409],
    }),
    post({
      path: '/updatepublication',
      summary:
        'Change a publication: the fields that are sent, all or none. A price sent as null is no longer for sale; the handle stays.',
      useCase: editPublication,
      body: changedPublicationBody,
      response: z.object({ _id: WireId, urlKey: z.string() }),
      toResponse: ({ id, urlKey }) => ({ _id: id, urlKey }),
      extraStatuses: [404],
    }),
    post({
      path: '/deactivatepublication/{id}',
      summary: 'Remove a publication: its storefront closes; readers, orders and the handle are kept',
      useCase: removePublication,
      params: { id: { is: 'id', field: 'id' } },
      response: z.object({ _id: WireId, isRemoved: z.literal(true) }),
      toResponse: ({ id }) => ({ _id: id, isRemoved: true }),
    }),
    get({
      path: '/{userId}',
      summary: "The logged-in publisher's publications",
      useCase: listPublications,
      // The use case also serves pages for users who may only download; this call returns more.
      permission: 'publication:read',
      params: { userId: { is: 'own' } },
      response: z.array(WirePublication),
      toResponse: (publications) => publications.map(wirePublication),
    }),
  ],
}
