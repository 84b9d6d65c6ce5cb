import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { publishedKeys, signingAlgorithm } from './signing-keys.ts'

/** The public keys with which apps verify tokens (RFC 7517). */
export const getSigningKeys = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  run: async (ctx) => ({ keys: await publishedKeys(ctx) }),
})

/** The log-in's endpoints and options for apps (RFC 8414). */
export const getOauthMetadata = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run({ settings: { appUrl } }) {
    const endpoints = `${appUrl}/api/thirdparty/oauth`
    return {
      issuer: appUrl,
      authorization_endpoint: `${appUrl}/oauth/authorize`,
      token_endpoint: `${endpoints}/token`,
      revocation_endpoint: `${endpoints}/revoke`,
      introspection_endpoint: `${endpoints}/introspect`,
      jwks_uri: `${appUrl}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      access_token_signing_alg_values_supported: [signingAlgorithm],
    }
  },
})
