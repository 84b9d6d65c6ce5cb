import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { seal, unseal } from '../access/sealed.ts'
import type { Services } from '../context.ts'
import { allSigningKeys, type SigningKeyRow, SigningKeys } from './signing-keys.rows.ts'

export const signingAlgorithm = 'ES256'

const dayMs = 86_400_000
/** How long a key signs before the next one is created, which takes over after `announcedMs`. */
const rotationMs = 90 * dayMs
/** A new key is published this long before it signs: programs cache the list. */
const announcedMs = dayMs
/** It stays published this long after the next one takes over: longer than the lifetime of any token. */
const retainMs = 3_600_000

/** The current signing key. It is created on first use, and the next one when it is due. */
export async function signingKey(
  services: Services,
): Promise<{ kid: string; key: Awaited<ReturnType<typeof importJWK>> }> {
  const now = services.now()
  const keys = await currentKeys(services)
  const active = keys.find(({ activeAt }) => activeAt <= now)
  const activeJwk = active && privateJwk(services, active)
  if (active && activeJwk) return { kid: active.kid, key: await importJWK(activeJwk, signingAlgorithm) }
  // None yet, or sealed under another APP_SECRET: a new one signs immediately.
  const created = await makeKey(services, (keys[0]?.generation ?? 0) + 1, now)
  const createdJwk = created && privateJwk(services, created)
  if (created && createdJwk) return { kid: created.kid, key: await importJWK(createdJwk, signingAlgorithm) }
  return signingKey(services)
}

/** The public keys of all tokens that may still be valid, and the public key that signs next. */
export async function publishedKeys(services: Services): Promise<JWK[]> {
  await signingKey(services)
  const keys = await currentKeys(services)
  const now = services.now().getTime()
  return keys
    .filter((_, index) => {
      const next = keys[index - 1]
      return !next || next.activeAt.getTime() + retainMs > now
    })
    .map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: signingAlgorithm, use: 'sig' }))
}

/** The keys, the newest first, with the next one created if it is due. */
async function currentKeys(services: Services): Promise<SigningKeyRow[]> {
  const keys = await allSigningKeys(services)
  const [newest] = keys
  const now = services.now()
  if (!newest || newest.activeAt.getTime() + rotationMs > now.getTime()) return keys
  await makeKey(services, newest.generation + 1, new Date(now.getTime() + announcedMs))
  return allSigningKeys(services)
}

/**
 * Creates the key after the newest, to sign once it has been listed for a day, or immediately. Null if one is waiting to sign, or another process
 * made it meanwhile.
 */
export async function makeNextKey(services: Services, isImmediate: boolean): Promise<SigningKeyRow | null> {
  const [newest] = await allSigningKeys(services)
  const now = services.now()
  if (newest && newest.activeAt > now && !isImmediate) return null
  return makeKey(services, (newest?.generation ?? 0) + 1, isImmediate ? now : new Date(now.getTime() + announcedMs))
}

/** Null if another process has made it. */
async function makeKey(services: Services, generation: number, activeAt: Date): Promise<SigningKeyRow | null> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const sealed = seal(services.settings.appSecret, 'signing-key', JSON.stringify(await exportJWK(privateKey)))
  return SigningKeys.insertNew(services, {
    generation,
    kid: randomBytes(12).toString('base64url'),
    publicJwk: await exportJWK(publicKey),
    privateSealed: sealed,
    activeAt,
  })
}

function privateJwk({ settings }: Services, { privateSealed }: SigningKeyRow): JWK | null {
  const text = unseal(settings.appSecret, 'signing-key', privateSealed)
  return text === null ? null : (JSON.parse(text) as JWK)
}
