import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The purpose of a sealed text: a secret sealed for one purpose cannot be unsealed for another. */
export type Purpose = 'payee-key' | 'two-step' | 'api-key' | 'signing-key' | 'dkim-key' | 'webhook' | 'transfer'

const version = 'v1'
const keys = new Map<string, Buffer>()

function keyFor(appSecret: string, purpose: Purpose): Buffer {
  const name = `${purpose}\n${appSecret}`
  let key = keys.get(name)
  if (!key) {
    key = Buffer.from(hkdfSync('sha256', appSecret, 'masthead', purpose, 32))
    keys.set(name, key)
  }
  return key
}

/** Encrypts a secret for the database: AES-256-GCM under a key derived from APP_SECRET. */
export function seal(appSecret: string, purpose: Purpose, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(appSecret, purpose), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [version, nonce, cipher.getAuthTag(), sealed]
    .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
    .join('.')
}

/** Decrypts a secret; null if there is none, or if it was sealed under another APP_SECRET or has been tampered with. */
export function unseal(appSecret: string, purpose: Purpose, sealed: string | null): string | null {
  const [head, nonce, tag, body] = (sealed ?? '').split('.')
  if (head !== version || !nonce || !tag || body === undefined) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(appSecret, purpose), Buffer.from(nonce, 'base64url'), {
      authTagLength: 16,
    })
    decipher.setAuthTag(Buffer.from(tag, 'base64url'))
    return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
