import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 32 random bytes as text for a cookie or a link. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Compares two texts in constant time, so that the duration does not tell where they differ. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
