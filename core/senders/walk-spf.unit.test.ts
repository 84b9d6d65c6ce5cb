import { describe, expect, it } from 'vitest'
import { openMailDns } from '#core/platform/mail-dns.ts'
import { startDnsServer } from '#tests/support/dns-server.ts'
import { spfRecord } from './sender-records.rules.ts'
import { walkSpf } from './walk-spf.ts'

const includes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `include:h${from + n}.test`).join(' ')
const records: Record<string, string[]> = {
  '_spf.us.test': ['v=spf1 ip4:192.0.2.1 a:mx.us.test -all'],
  'mail.quay.test': ['note=1', 'v=spf1 include:_spf.us.test ~all'],
  'closed.quay.test': ['v=spf1 -all include:_spf.us.test'],
  'loop.quay.test': ['v=spf1 include:back.quay.test ~all'],
  'back.quay.test': ['v=spf1 include:loop.quay.test ~all'],
  'twice.quay.test': ['v=spf1 a ~all', 'v=spf1 mx ~all'],
  'wide.quay.test': [`v=spf1 ${includes(0, 8)} ~all`],
  ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`h${n}.test`, ['v=spf1 ip4:192.0.2.2 -all']])),
}
const dns = openMailDns({ server: await startDnsServer(records) })
const sender = { domain: 'quay.test', include: '_spf.us.test' }

async function evaluate(record: string) {
  return spfRecord(sender, [record], await walkSpf(dns, { ...sender, record }))
}

describe('an SPF record, evaluated as receivers do', () => {
  it.each([
    ['names us itself', 'v=spf1 mx Include:_SPF.us.test ~all'],
    ['names us by what it includes', 'v=spf1 include:mail.quay.test -all'],
    ['redirects elsewhere', 'v=spf1 redirect=mail.quay.test'],
    ['redirects to our own record', 'v=spf1 redirect=_spf.us.test'],
    ['takes ten lookups: eight, ours, and the one in ours', `v=spf1 ${includes(0, 8)} include:_spf.us.test -all`],
    ['has includes behind “all”, which are never looked up', `v=spf1 include:_spf.us.test -all ${includes(0, 12)}`],
    [
      'includes a host whose name depends on the email',
      'v=spf1 include:%{i}._spf.other.test include:_spf.us.test ~all',
    ],
  ])('passes when it %s', async (_, record) => {
    expect(await evaluate(record)).toMatchObject({ state: 'found', problem: '' })
  })

  it.each([
    ['not naming us anywhere', 'v=spf1 include:h1.test ~all', 'does not contain'],
    ['naming us behind “all” in an included record', 'v=spf1 include:closed.quay.test ~all', 'does not contain'],
    ['naming us as neutral', 'v=spf1 ?include:mail.quay.test ~all', 'does not contain'],
    ['redirecting to us, which “all” overrides', 'v=spf1 a -all redirect=mail.quay.test', 'does not contain'],
    ['eleven lookups', `v=spf1 ${includes(0, 9)} include:_spf.us.test -all`, 'more than 10 DNS lookups'],
    ['eleven, some nested', 'v=spf1 a mx include:wide.quay.test include:_spf.us.test ~all', 'more than 10 DNS lookups'],
    ['leading back to itself', 'v=spf1 include:_spf.us.test include:loop.quay.test ~all', 'back to itself'],
    ['including itself', 'v=spf1 include:_spf.us.test include:quay.test ~all', 'back to itself'],
    ['a host without one', 'v=spf1 include:_spf.us.test include:gone.test ~all', 'without an SPF record'],
    ['a host with two', 'v=spf1 include:_spf.us.test include:twice.quay.test ~all', 'several SPF records'],
  ])('is useless: %s', async (_, record, problem) => {
    expect(await evaluate(record)).toMatchObject({ state: 'wrong', problem: expect.stringContaining(problem) })
  })

  it('is shown unchanged when an include already covers us', async () => {
    expect((await evaluate('v=spf1 include:mail.quay.test -all')).value).toBe('v=spf1 include:mail.quay.test -all')
  })

  it('counts as far as it could be evaluated when another domain’s DNS is down', async () => {
    const partlyDown = {
      texts: (name: string) => (name === 'away.test' ? Promise.reject(new Error('no')) : dns.texts(name)),
    }
    const walk = (record: string) => walkSpf(partlyDown, { ...sender, record })
    expect(await walk('v=spf1 include:_spf.us.test include:away.test ~all')).toEqual({ isIncluded: true, problem: '' })
    expect(await walk('v=spf1 include:away.test ~all')).toMatchObject({
      isIncluded: false,
      problem: expect.stringContaining('No response from DNS'),
    })
  })

  it('is accepted when our own host has no record', async () => {
    const record = 'v=spf1 include:nothing.us.test ~all'
    expect(await walkSpf(dns, { ...sender, include: 'nothing.us.test', record })).toEqual({
      isIncluded: true,
      problem: '',
    })
  })
})
