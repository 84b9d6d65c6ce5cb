import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { seal } from '../access/sealed.ts'
import type { AppContext } from '../context.ts'

const generate = promisify(generateKeyPair)

/** The key that signs for a domain. The selector is unique, so that two publishers of one domain each prove it by a separate record. */
export async function newSenderKey({ settings }: Pick<AppContext, 'settings'>, domain: string) {
  const fresh = { domain, records: null, checkedAt: null, dnsProblem: '' }
  if (domain === '') return { ...fresh, selector: '', publicKey: '', privateSealed: '' }
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    ...fresh,
    selector: `mh${randomBytes(6).toString('hex')}`,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateSealed: seal(settings.appSecret, 'dkim-key', pem),
  }
}
