import { RefusedAddress } from './public-lookup.ts'

const problems: Record<string, string> = {
  ENOTFOUND: 'Its host name is not known to DNS',
  EAI_AGAIN: 'Its host name could not be looked up',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before a response arrived',
  EHOSTUNREACH: 'Its host cannot be reached',
  ENETUNREACH: 'Its network cannot be reached',
  ETIMEDOUT: 'The connection timed out',
  EPIPE: 'The connection was closed before a response arrived',
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name',
}

/** Why a connection failed; null if the error does not say. */
export function connectionProblem(error: unknown): string | null {
  if (error instanceof RefusedAddress) return 'Its address is not on the public internet'
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return null
  return problems[code] ?? `The request failed (${code})`
}
