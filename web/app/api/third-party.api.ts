import { z } from 'zod'
import { checkSubscriber } from '#core/partners/check-subscriber.ts'
import { exchangeToken, introspectAppToken, revokeAppToken } from '#core/partners/exchange-app-token.ts'
import { lookUpEntitlement } from '#core/partners/look-up-entitlement.ts'
import { lookUpAddresses } from '#core/postcodes/look-up-addresses.ts'
import { type ApiTable, get, post } from './api-call.ts'
import { oauthRefusal, tokenFields, WireIntrospected, WireTokens, wireIntrospected, wireTokens } from './oauth.wire.ts'
import { WireCheckedSubscriber, WireEntitlement, wireCheckedSubscriber, wireEntitlement } from './third-party.wire.ts'
import { webhookCalls } from './webhook-calls.ts'

export const thirdPartyApi: ApiTable = {
  prefix: 'thirdparty',
  calls: [
    get({
      path: '/postcodelookup/{postcode}',
      summary:
        'The addresses of a British postcode, each as lines, town and county with commas between them; 404 when none is known. Rate-limited. Every failure also has Message: Bad Request.',
      useCase: lookUpAddresses,
      params: { postcode: { is: 'text', field: 'postCode' } },
      response: z.object({ addresses: z.array(z.string()) }),
      alsoInErrors: { Message: 'Bad Request' },
      extraStatuses: [404, 422],
    }),
    post({
      path: '/checksubscriber',
      summary:
        'Whether an email and password belong to a subscriber who may read the digital edition now. Needs a key of the publication, in `key` or in the Authorization header',
      useCase: checkSubscriber,
      body: { key: 'key', email: 'email', password: 'password' },
      response: WireCheckedSubscriber,
      toResponse: wireCheckedSubscriber,
      extraStatuses: [403],
    }),
    post({
      path: '/entitlement',
      summary:
        'Whether the reader with an email may read the digital edition. Needs a key with that scope, in the Authorization header',
      useCase: lookUpEntitlement,
      body: { email: 'email' },
      response: WireEntitlement,
      toResponse: wireEntitlement,
    }),
    post({
      path: '/oauth/token',
      summary:
        'OAuth token endpoint: issues tokens for an authorization code (grant_type authorization_code, with code, redirect_uri and code_verifier) or for a refresh token, which is replaced',
      useCase: exchangeToken,
      isForm: true,
      body: Object.fromEntries(tokenFields.map((name) => [name, name])),
      response: WireTokens,
      refusal: oauthRefusal,
      toResponse: wireTokens,
    }),
    post({
      path: '/oauth/revoke',
      summary: 'OAuth revocation: log a reader out of an app by its refresh token',
      useCase: revokeAppToken,
      isForm: true,
      body: { client_id: 'client_id', token: 'token' },
      response: z.object({}),
      toResponse: () => ({}),
    }),
    post({
      path: '/oauth/introspect',
      summary:
        'OAuth introspection: whether an access token is valid now, and what its reader may read. Needs a key that may look up subscribers',
      useCase: introspectAppToken,
      isForm: true,
      body: { token: 'token' },
      response: WireIntrospected,
      toResponse: wireIntrospected,
    }),
    ...webhookCalls,
  ],
}
