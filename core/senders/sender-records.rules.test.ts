import { describe, expect, it } from 'vitest'
import { dkimRecord, dmarcRecord, spfRecord } from './sender-records.rules.ts'

const key = { domain: 'quay.test', selector: 'mh1', publicKey: 'AAAABBBB' }

describe('the DKIM record', () => {
  it.each([
    [[], 'missing'],
    [['v=DKIM1; k=rsa; p=AAAABBBB'], 'found'],
    [['p=AAAA BBBB'], 'found'],
    [['v=DKIM1; k=rsa; p=AAAABB'], 'wrong'],
    [['v=DKIM1; k=rsa; p='], 'wrong'],
    [['v=DKIM1; k=ed25519; p=AAAABBBB'], 'wrong'],
    [['v=DKIM1; k=rsa; t=s:y; p=AAAABBBB'], 'wrong'],
    [['v=DKIM1; p=AAAABBBB', 'v=DKIM1; p=other'], 'wrong'],
    [['google-site-verification=x'], 'wrong'],
  ])('%j is %s', (texts, state) => {
    const record = dkimRecord(key, texts)
    expect(record).toMatchObject({ state, name: 'mh1._domainkey.quay.test', value: 'v=DKIM1; k=rsa; p=AAAABBBB' })
    expect(record.problem !== '').toBe(state === 'wrong')
  })
})

describe('the SPF record', () => {
  it.each([
    [[], 'missing', 'v=spf1 include:_spf.us.test ~all'],
    [['other=1'], 'missing', 'v=spf1 include:_spf.us.test ~all'],
    [['v=spf1 mx -all'], 'wrong', 'v=spf1 mx include:_spf.us.test -all'],
    [['v=spf1 mx include:_spf.us.test.evil.test -all'], 'wrong', undefined],
    [['v=spf1 ?include:_spf.us.test -all'], 'wrong', undefined],
    [['v=spf1 -all include:_spf.us.test'], 'wrong', 'v=spf1 include:_spf.us.test -all'],
    [['v=spf1 a ~all', 'v=spf1 mx -all'], 'wrong', 'v=spf1 a mx include:_spf.us.test ~all'],
    [['v=spf1 redirect=_spf.quay.test'], 'wrong', 'v=spf1 include:_spf.us.test redirect=_spf.quay.test'],
    [['V=SPF1 mx Include:_SPF.us.test ~all'], 'found', undefined],
    [['v=spf1 +include:_spf.us.test'], 'found', undefined],
  ])('%j is %s', (texts, state, value) => {
    const record = spfRecord({ domain: 'quay.test', include: '_spf.us.test' }, texts, null)
    expect(record).toMatchObject({ state, name: 'quay.test' })
    if (value !== undefined) expect(record.value).toBe(value)
  })
})

describe('the DMARC record', () => {
  it.each([
    [[], 'missing'],
    [['v=DMARC1; p=none'], 'found'],
    [['v=DMARC1;p=Reject; rua=mailto:d@quay.test'], 'found'],
    [['v=DMARC1; rua=mailto:d@quay.test'], 'wrong'],
    [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'wrong'],
  ])('%j is %s', (texts, state) => {
    expect(dmarcRecord('quay.test', texts)).toMatchObject({ state, name: '_dmarc.quay.test' })
  })
})
