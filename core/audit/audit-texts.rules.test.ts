import { describe, expect, it } from 'vitest'
import { describeFacts, describeSubject, entryPointName } from './audit-texts.rules.ts'

describe('the texts of the activity log', () => {
  it.each([
    [{}, []],
    [{ readers: 12345 }, ['Readers 12,345']],
    [{ amount: 2999, currency: 'GBP', product: 'print', promo: false }, ['Amount £29.99', 'Product print', 'Promo no']],
    [{ amount: 3, currency: 'XYZ' }, ['Amount 3', 'Currency XYZ']],
    [{ on: '2026-11-21', included: 3 }, ['On 21/11/2026', 'Included 3']],
    [{ fields: ['firstName', 'email'] }, ['Fields first name, email']],
    [{ userType: 'pubadmin', publisherId: null, none: undefined, empty: [] }, ['User type pubadmin']],
    [{ excluded: { noAddress: 2, notPaid: 1 } }, ['Excluded no address 2, not paid 1']],
    [{ brokeOff: true }, ['Broke off yes']],
  ])('describe the facts %j', (facts, texts) => {
    expect(describeFacts(facts).map(({ name, value }) => `${name} ${value}`)).toEqual(texts)
  })

  it.each([
    [{ type: 'user', id: 4, userName: 'Ann Lee' }, 'Ann Lee'],
    [{ type: 'user', id: 4 }, 'User 4'],
    [{ type: 'order', id: 4, orderNumber: 'OD-1234567' }, 'Order OD-1234567'],
    [{ type: 'publication', id: 4, publicationName: 'The Gardener' }, 'The Gardener'],
    [{ type: 'mailing-file', id: 4, publicationName: 'The Gardener' }, 'Mailing file of The Gardener'],
    [{ type: 'reader', id: 41, publicationName: 'The Gardener' }, 'Reader 41 of The Gardener'],
    [{ type: 'reader', id: 41 }, 'Reader 41'],
    [{ type: 'job', id: null }, 'Job'],
    [{ type: 'job', id: 7 }, 'Job 7'],
    [{ type: 'audit-log', id: null }, 'Audit log'],
  ])('name the subject %j', (subject, text) => {
    expect(describeSubject(subject)).toBe(text)
  })

  it('name the entry points', () => {
    expect(['web', 'api', 'cli', 'worker'].map(entryPointName)).toEqual(['Web', 'API', 'Command line', 'Worker'])
  })
})
