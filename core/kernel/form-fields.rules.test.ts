import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { EmailAddress } from './email-address.ts'
import {
  CheckboxInput,
  lineText,
  OptionalAmount,
  OptionalCharge,
  OptionalEmail,
  OptionalWebAddress,
  optionalLines,
  optionalWholeNumber,
  requiredText,
  wholeNumber,
} from './form-fields.ts'

/** The value as the field parses it, or the first message of its refusal. */
function read(field: z.ZodType, value: unknown): unknown {
  const result = field.safeParse(value)
  return result.success ? result.data : { says: result.error.issues[0]?.message }
}

const amountMessage = { says: 'Must be an amount such as 29.99' }
const webMessage = { says: 'Invalid Web address' }

describe('fields of forms', () => {
  const cases: [string, z.ZodType, unknown, unknown][] = [
    ['text', requiredText(5), '  abc ', 'abc'],
    ['text', requiredText(5), '   ', { says: 'Required' }],
    [
      'text',
      requiredText(20),
      'ZoÃ«',
      { says: '“ZoÃ«” looks like “Zoë” saved in the wrong encoding. Please correct it.' },
    ],
    ['text', requiredText(20), 'O\u0092Brien', { says: expect.stringContaining('“O’Brien”') }],
    ['text', lineText(20), 'GdaĹ„sk', { says: expect.stringContaining('looks like') }],
    ...[
      'JOÃO',
      'SÃO PAULO',
      'IRMÃ\u00a0Lúcia',
      'Conceição',
      'Ângela',
      'Łódź',
      'Zoë',
      'GARÇON',
      '£5 – €6',
      'TĂŞNAD',
      'Ä–Ö',
      '中文',
    ].map((name): [string, z.ZodType, unknown, unknown] => ['text', requiredText(20), name, name]),
    ['text', requiredText(5), undefined, { says: 'Required' }],
    ['text', requiredText(5), 'abcdef', { says: 'Must be 5 characters or fewer' }],
    ['lines', optionalLines(5), 'ab\r\ncd', 'ab\ncd'],
    ['lines', optionalLines(5), 'ab\r\ncde', { says: 'Must be 5 characters or fewer' }],
    ['email', OptionalEmail, '', ''],
    ['email', OptionalEmail, 'ann@example.com', 'ann@example.com'],
    ['email', OptionalEmail, ' ａｎｎ１＠example．com', 'ann1@example.com'],
    ['email', EmailAddress, ' ａｎｎ１＠example．com', 'ann1@example.com'],
    ['email', OptionalEmail, 'ann@', { says: 'Invalid email address' }],
    ['web', OptionalWebAddress, 'www.example.com/a', 'https://www.example.com/a'],
    ['web', OptionalWebAddress, 'http://example.com', 'http://example.com'],
    ['web', OptionalWebAddress, '', ''],
    ['web', OptionalWebAddress, 'javascript:alert(1)', webMessage],
    ['web', OptionalWebAddress, 'data:text/html,x', webMessage],
    ['web', OptionalWebAddress, 'https://user:pw@example.com', webMessage],
    ['web', OptionalWebAddress, 'http://localhost:3000/a', 'http://localhost:3000/a'],
    ['web', OptionalWebAddress, 'localhost', webMessage],
    ['web', OptionalWebAddress, 'https://', webMessage],
    ['web', OptionalWebAddress, 'just words', webMessage],
    ['number', wholeNumber(1, 366), '12', 12],
    ['number', wholeNumber(1, 366), 12, 12],
    ['number', wholeNumber(1, 366), '', { says: 'Required' }],
    ['number', wholeNumber(1, 366), 'monthly', { says: 'Must be a number' }],
    ['number', wholeNumber(1, 366), '1e2', { says: 'Must be a number' }],
    ['number', wholeNumber(1, 366), '4.5', { says: 'Must be a whole number' }],
    ['number', wholeNumber(1, 366), '0', { says: 'Must be from 1 to 366' }],
    ['number', wholeNumber(0, 1_000_000), '-1', { says: 'Must be from 0 to 1,000,000' }],
    ['stock', optionalWholeNumber(0, 99), ' ', null],
    ['stock', optionalWholeNumber(0, 99), undefined, null],
    ['stock', optionalWholeNumber(0, 99), '0', 0],
    ['price', OptionalAmount, '29.99', 2999],
    ['price', OptionalAmount, '£1,234.5', 123450],
    ['price', OptionalAmount, '', null],
    ['price', OptionalAmount, null, null],
    ['price', OptionalAmount, '29,99', amountMessage],
    ['price', OptionalAmount, '1e3', amountMessage],
    ['price', OptionalAmount, '-1', amountMessage],
    ['price', OptionalAmount, '29.999', amountMessage],
    ['price', OptionalAmount, 'free', amountMessage],
    ['price', OptionalAmount, '0.00', { says: 'Leave blank where it is not for sale' }],
    ['postage', OptionalCharge, '0', 0],
    ['tick', CheckboxInput, 'on', true],
    ['tick', CheckboxInput, undefined, false],
    ['tick', CheckboxInput, false, false],
  ]
  it.each(cases)('%s: %#', (_, field, value, expected) => expect(read(field, value)).toEqual(expected))
})
