import { spfTexts } from '../kernel/mail-records.rules.ts'
import type { MailDns } from '../ports/mail-dns.ts'
import type { FollowedSpf } from './sender-records.rules.ts'

/** RFC 7208, 4.6.4: receivers fail after this many terms that query DNS, nested ones included. */
const maxLookups = 10

/**
 * Follows the SPF record of a domain through `include:` and `redirect=` to find the installation's host, and counts DNS lookups as receivers
 * do (RFC 7208, 4.6.4 and 5.2). Other terms are counted, not queried.
 */
export async function walkSpf(dns: MailDns, { domain, record, include }: SpfQuestion): Promise<FollowedSpf> {
  const walk: Walk = { dns, include: include.toLowerCase(), lookups: 0, isOver: false, isIncluded: false, problem: '' }
  await follow(walk, { name: domain.toLowerCase(), record, isPass: true, above: [] })
  return { isIncluded: walk.isIncluded, problem: walk.problem }
}

interface SpfQuestion {
  domain: string
  /** The one SPF record of the domain. */
  record: string
  /** The host that publishers must include. */
  include: string
}

interface Walk extends FollowedSpf {
  dns: MailDns
  include: string
  lookups: number
  /** No further queries are made. */
  isOver: boolean
}

interface Followed {
  name: string
  record: string
  /** Whether a match in it passes for the domain: every include leading to it has `+` or no sign. */
  isPass: boolean
  /** The names that led to it, for detecting a loop. */
  above: readonly string[]
}

async function follow(walk: Walk, { name, record, isPass, above }: Followed): Promise<void> {
  const terms = record.trim().toLowerCase().split(/\s+/).slice(1)
  const path = [...above, name]
  let isAfterAll = false
  for (const term of terms) {
    const [, sign = '', mechanism = '', value = ''] = /^([-~?+]?)([a-z]+)(?:[:/](.*))?$/.exec(term) ?? []
    if (mechanism === 'all') isAfterAll = true
    // Terms after `all` are not read, so they do not count.
    if (isAfterAll) break
    if (!lookupMechanisms.has(mechanism)) continue
    if (!count(walk)) return
    if (mechanism !== 'include') continue
    const isPassing = isPass && (sign === '' || sign === '+')
    if (value === walk.include && isPassing) walk.isIncluded = true
    await followInto(walk, { term: `include:${value}`, name: value, isPass: isPassing, above: path })
    if (walk.isOver || walk.problem !== '') return
  }
  const target = terms.find((term) => term.startsWith('redirect='))?.slice('redirect='.length)
  // With an `all` a redirect is ignored (RFC 7208, 6.1); without one it replaces the whole record.
  if (target === undefined || terms.some((term) => isAll(term)) || !count(walk)) return
  if (target === walk.include && isPass) walk.isIncluded = true
  await followInto(walk, { term: `redirect=${target}`, name: target, isPass, above: path })
}

/** The mechanisms for which receivers query DNS; `ip4`, `ip6` and `all` need no query. */
const lookupMechanisms = new Set(['include', 'a', 'mx', 'ptr', 'exists'])
const isAll = (term: string) => /^[-~?+]?all$/.test(term)

function count(walk: Walk): boolean {
  walk.lookups++
  if (walk.lookups <= maxLookups) return true
  walk.problem = `It takes more than ${maxLookups} DNS lookups, after which receivers ignore the whole record. Remove the services that you no longer send with.`
  return false
}

async function followInto(walk: Walk, next: Omit<Followed, 'record'> & { term: string }): Promise<void> {
  // A name with a macro (`%{i}`) differs for every email: it is counted and not followed.
  if (next.name.includes('%')) return
  if (next.above.includes(next.name)) {
    walk.problem = `“${next.term}” leads back to itself, so receivers ignore the whole record.`
    return
  }
  const texts = await walk.dns.texts(next.name).catch(() => null)
  if (texts === null) {
    // An included domain's DNS does not respond, which is no reason to discard the rest: earlier results are kept.
    walk.problem = walk.isIncluded ? '' : `No response from DNS for “${next.term}”.`
    walk.isOver = true
    return
  }
  const [record, ...others] = spfTexts(texts)
  // A missing record of the installation's own host is for its operator to fix: `doctor` reports it.
  if (record === undefined && next.name === walk.include) return
  if (record === undefined)
    walk.problem = `“${next.term}” names a host without an SPF record, so receivers ignore the whole record.`
  else if (others.length > 0)
    walk.problem = `“${next.term}” names a host with several SPF records, so receivers ignore the whole record.`
  if (walk.problem === '' && record !== undefined) await follow(walk, { ...next, record })
}
