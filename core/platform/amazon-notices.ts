import { X509Certificate } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AmazonNotices } from '#core/ports/mail-reports.ts'

const timeoutMs = 5_000
const maxBytes = 64 * 1024

/** Only Amazon's own host names: the sender of a notice chooses the addresses in it. */
const host = /^sns\.[a-z]{2}(?:-[a-z]+){1,3}-\d\.amazonaws\.com(?:\.cn)?$/

/** `base` replaces Amazon's servers if it is set. */
export function makeAmazonNotices(base: string | null): AmazonNotices {
  const certificates = new LRUCache<string, string>({ max: 20, ttl: 24 * 3_600_000 })
  return {
    async certificate(url) {
      const amazonUrl = amazonAddress(url)
      if (!amazonUrl || !/^\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/.test(amazonUrl.pathname)) return null
      const cached = certificates.get(amazonUrl.href)
      if (cached !== undefined) return cached
      const text = await fetchText(amazonUrl, base)
      if (text === null || !isCertificate(text)) return null
      certificates.set(amazonUrl.href, text)
      return text
    },
    async confirm(url) {
      const amazonUrl = amazonAddress(url)
      if (amazonUrl?.searchParams.get('Action') !== 'ConfirmSubscription') return false
      return (await fetchText(amazonUrl, base)) !== null
    },
  }
}

function amazonAddress(url: string): URL | null {
  const address = URL.canParse(url) ? new URL(url) : null
  const isAmazonAddress =
    address?.protocol === 'https:' && address.port === '' && address.username === '' && host.test(address.hostname)
  return isAmazonAddress ? address : null
}

async function fetchText(address: URL, base: string | null): Promise<string | null> {
  const url = base === null ? address.href : `${base}${address.pathname}${address.search}`
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    if (!response.ok || !response.body) return null
    const chunks: Uint8Array[] = []
    let bytes = 0
    // Node's streams are iterable, which the DOM type does not say.
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) return null
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return null
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).publicKey.asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
