import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from '../kernel/public-address.ts'

const maxLength = 500

/**
 * The problem with the URL of a receiver; undefined for a valid one. Only https, unless this installation may send to its own machine.
 * The address that a host name resolves to is checked at each connection.
 */
export function webhookUrlProblem(url: string, { allowsLoopback }: { allowsLoopback: boolean }): string | undefined {
  if (url === '') return 'Required'
  if (url.length > maxLength) return `Must be ${maxLength} characters or fewer`
  if (!URL.canParse(url)) return 'Must be a complete URL, such as https://example.com/webhooks'
  const { protocol, hostname, hash, username, password } = new URL(url)
  if (protocol !== 'https:' && !(allowsLoopback && protocol === 'http:')) return 'Must begin with https://'
  if (username !== '' || password !== '') return 'Must not contain a name or password: deliveries are signed instead'
  if (hash !== '') return 'Must not have a part after #'
  return mayReach(hostname, allowsLoopback) ? undefined : 'Must name a host on the public internet'
}

function mayReach(hostname: string, allowsLoopback: boolean): boolean {
  const address = /^\[(.*)\]$/.exec(hostname)?.[1] ?? hostname
  if (isIP(address) !== 0) return isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address))
  return allowsLoopback || (/^[^.]+(\.[^.]+)+\.?$/.test(hostname) && !/\.localhost\.?$/.test(hostname))
}
