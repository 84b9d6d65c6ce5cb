import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from './file-end.ts'

/** Signs notifications as Amazon SNS does, and serves the certificate that they name. */
export interface SnsServer {
  /** Replaces Amazon's hosts: `SNS_BASE`. */
  base: string
  /** The requested paths. */
  requests: string[]
  /** The body of a signed notification; `fields` are replaced before it is signed, `after` afterwards. */
  notice(message: object, fields?: Record<string, string>, after?: Record<string, string>): string
}

const host = 'https://sns.eu-west-1.amazonaws.com'
export const snsTopic = 'arn:aws:sns:eu-west-1:123456789012:bounces'

export async function startSnsServer(): Promise<SnsServer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = selfSigned(publicKey.export({ type: 'spki', format: 'der' }), (bytes) =>
    createSign('RSA-SHA256').update(bytes).sign(privateKey),
  )
  const requests: string[] = []
  const server = createServer((req, res) => {
    requests.push(req.url ?? '')
    if (req.url?.endsWith('.pem')) res.end(certificate)
    else res.end('<ConfirmSubscriptionResponse/>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(() => void server.close())
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    notice(message, fields = {}, after = {}) {
      const notice: Record<string, string> = {
        Type: 'Notification',
        MessageId: randomUUID(),
        TopicArn: snsTopic,
        Message: JSON.stringify(message),
        Timestamp: '2026-11-21T10:00:00.000Z',
        SignatureVersion: '2',
        SigningCertURL: `${host}/SimpleNotificationService-0123456789abcdef.pem`,
        ...fields,
      }
      const names = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
      const signed = names
        .filter((name) => notice[name] !== undefined)
        .map((name) => `${name}\n${notice[name]}\n`)
        .join('')
      const algorithm = notice.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
      const Signature = createSign(algorithm).update(signed).sign(privateKey, 'base64')
      return JSON.stringify({ ...notice, Signature, ...after })
    },
  }
}

/** A self-signed X.509 certificate, in PEM. */
function selfSigned(key: Buffer, sign: (bytes: Buffer) => Buffer): string {
  const der = (tag: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts)
    const length =
      content.length < 128
        ? Buffer.from([content.length])
        : Buffer.from([0x82, content.length >> 8, content.length & 0xff])
    return Buffer.concat([Buffer.from([tag]), length, content])
  }
  const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
  const algorithm = sequence(Buffer.from('06092a864886f70d01010b', 'hex'), Buffer.from('0500', 'hex'))
  const name = sequence(
    der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('sns.amazonaws.com')))),
  )
  const day = (text: string) => der(0x17, Buffer.from(text))
  const body = sequence(
    der(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    algorithm,
    name,
    sequence(day('200101000000Z'), day('491231235959Z')),
    name,
    key,
  )
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), sign(body)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
