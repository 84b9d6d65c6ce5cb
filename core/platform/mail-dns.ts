import { Resolver } from 'node:dns/promises'
import type { MailDns } from '#core/ports/mail-dns.ts'

interface Options {
  /** The DNS server that is asked, with or without a port; null: the machine's own. */
  server: string | null
  /** How long an answer may take, tries and servers together. */
  timeoutMs?: number
}

/** Asks DNS, and gives up in time. */
export function openMailDns({ server, timeoutMs = 5000 }: Options): MailDns {
  return {
    async texts(name) {
      const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 })
      if (server !== null) resolver.setServers([server])
      // Its own limit is for one server, and grows with each try.
      const timer = setTimeout(() => resolver.cancel(), timeoutMs)
      try {
        return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (code === 'ENOTFOUND' || code === 'ENODATA') return []
        throw new Error(problems[code]?.(name) ?? `no answer about ${name} (${code})`, { cause: error })
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const noAnswer = (name: string) => `no answer about ${name} in time`
const problems: Readonly<Record<string, (name: string) => string>> = {
  ETIMEOUT: noAnswer,
  ECANCELLED: noAnswer,
  ESERVFAIL: (name) => `the DNS servers of ${name} fail`,
  EREFUSED: (name) => `the DNS servers of ${name} refuse to answer`,
  ECONNREFUSED: (name) => `no DNS server takes the question about ${name}`,
}
