import { createHmac, randomBytes } from 'node:crypto'

/** The prefix of a secret in Standard Webhooks. */
const prefix = 'whsec_'

export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

export function newMessageId(): string {
  return `msg_${randomBytes(18).toString('base64url')}`
}

/**
 * The headers of Standard Webhooks: the id of the message, the time of this attempt and a signature with each secret that is valid, so that a
 * receiver may verify with the old or the new one.
 */
export function signedHeaders(
  { messageId, body, at }: { messageId: string; body: string; at: Date },
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
