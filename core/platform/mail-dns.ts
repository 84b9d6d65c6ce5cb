import { Resolver } from 'node:dns/promises'
import type { MailDns } from '#core/ports/mail-dns.ts'

interface Options {
  /** The DNS server that is queried, with or without a port; null: the machine's own. */
  server: string | null
  /** How long a response may take, over all attempts and servers. */
  timeoutMs?: number
}

/** Queries DNS with a timeout. */
export function openMailDns({ server, timeoutMs = 5000 }: Options): MailDns {
  return {
    async texts(name) {
      const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 })
      if (server !== null) resolver.setServers([server])
      // The resolver's own timeout is per server, and grows with each attempt.
      const timer = setTimeout(() => resolver.cancel(), timeoutMs)
      try {
        return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (code === 'ENOTFOUND' || code === 'ENODATA') return []
        throw new Error(problems[code]?.(name) ?? `no answer for ${name} (${code})`, { cause: error })
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const timeoutProblem = (name: string) => `no answer for ${name} in time`
const problems: Readonly<Record<string, (name: string) => string>> = {
  ETIMEOUT: timeoutProblem,
  ECANCELLED: timeoutProblem,
  ESERVFAIL: (name) => `the DNS servers of ${name} fail`,
  EREFUSED: (name) => `the DNS servers of ${name} refuse to answer`,
  ECONNREFUSED: (name) => `no DNS server accepts the query for ${name}`,
}
