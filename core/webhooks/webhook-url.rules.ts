const longest = 500

/**
 * What is wrong with the address of a receiver; undefined for a good one. Only https, unless this installation may send to its own machine. A
 * name is resolved at each connection.
 */
export function webhookUrlProblem(url: string, { allowsLoopback }: { allowsLoopback: boolean }): string | undefined {
  if (url === '') return 'Required'
  if (url.length > longest) return `Must be ${longest} characters or fewer`
  if (!URL.canParse(url)) return 'Must be a whole address, such as https://example.com/webhooks'
  const { protocol, hostname, hash, username, password } = new URL(url)
  if (protocol !== 'https:' && !(allowsLoopback && protocol === 'http:')) return 'Must begin with https://'
  if (username !== '' || password !== '') return 'Must not hold a name or password: deliveries are signed instead'
  if (hash !== '') return 'Must not have a part after #'
  if (!allowsLoopback && !hostname.startsWith('[') && !/^[^.]+(\.[^.]+)+\.?$/.test(hostname))
    return 'Must name a host of the public internet'
  return undefined
}
