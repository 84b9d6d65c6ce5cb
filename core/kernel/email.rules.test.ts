import { describe, expect, it } from 'vitest'
import { isEmailAddress, normalEmail } from './email.rules.ts'

describe('an email address', () => {
  it.each([
    'ann@example.org',
    'ann.lee+post@mail.example.co.uk',
    "o'brien@example.org",
    'a@b.co',
    'ann_lee-2@ex-ample.travel',
    '!#$%&*/=?^`{|}~@example.org',
    'zoë@bücher.example',
    'ann@xn--bcher-kva.example',
    'имя@пример.рф',
    'ann@1and1.com',
  ])('%s is valid', (text) => expect(isEmailAddress(text)).toBe(true))

  it.each([
    '',
    'No',
    'n/a',
    'ann',
    '@example.org',
    'ann@',
    'ann@example',
    'ann@@example.org',
    'ann@b@example.org',
    'ann lee@example.org',
    'ann@exam ple.org',
    'ann@example.org ',
    'a..b@c..d',
    'a..b@example.org',
    '.ann@example.org',
    'ann.@example.org',
    'ann@example..org',
    'ann@.example.org',
    'ann@example.org.',
    '.x@-y.z',
    'x@-example.org',
    'x@example-.org',
    'x@y.z',
    'x@192.168.0.1',
    'ann@example.org,bob@example.org',
    'ann@example.org;bob@example.org',
    'Ann <ann@example.org>',
    '"ann"@example.org',
    'ann@example.org\r\nBcc: bob@example.org',
    'ann\u0000@example.org',
    'ann\u200b@example.org',
    'ann\u202e@example.org',
    'ann１@example.org',
    'ａｎｎ@example.org',
    'zoe\u0308@example.org',
    'ann@exam_ple.org',
    `${'a'.repeat(65)}@example.org`,
    `ann@${'a'.repeat(64)}.org`,
    `ann@${'abcdefgh.'.repeat(30)}org`,
  ])('%j is invalid', (text) => expect(isEmailAddress(text)).toBe(false))

  it.each([
    [' ann@example.org ', 'ann@example.org'],
    ['ａｎｎ１２＠ｅｘａｍｐｌｅ．ｏｒｇ', 'ann12@example.org'],
    ['zoe\u0308@example.org', 'zoë@example.org'],
    ['имя@пример.рф', 'имя@пример.рф'],
  ])('%j is stored as %j', (typed, stored) => {
    expect(normalEmail(typed)).toBe(stored)
    expect(isEmailAddress(stored)).toBe(true)
  })
})
