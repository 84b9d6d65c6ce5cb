/**
 * What counts as one visitor in a rate limit: an IPv4 address, also one received on an IPv6 socket, or the /64 of an IPv6 address. A
 * provider assigns each line at least a /64, so each of its 2^64 addresses would otherwise have a limit of its own.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [front = '', back] = plain.toLowerCase().replace(/%.*$/, '').split('::')
  const groups = front.split(':').filter((group) => group !== '')
  const backGroups = back === undefined ? [] : back.split(':').filter((group) => group !== '')
  const zeros = back === undefined ? 0 : Math.max(0, 8 - groups.length - backGroups.length)
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...backGroups]
  const prefix = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${prefix.join(':')}::/64`
}
