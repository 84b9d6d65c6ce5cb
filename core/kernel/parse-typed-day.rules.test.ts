import { expect, it } from 'vitest'
import { parseDay } from './dates.ts'
import { parseTypedDay } from './parse-typed-day.ts'

const cases = [
  ['1/2/2026', '2026-02-01'],
  ['01-02-2026', '2026-02-01'],
  ['1.2.26', '2026-02-01'],
  ['2026-02-01', '2026-02-01'],
  [' 1 Feb 2026 ', '2026-02-01'],
  ['1 FEBRUARY 2026', '2026-02-01'],
  ['1st february, 2026', '2026-02-01'],
  ['22nd Sept. 2026', '2026-09-22'],
  ['3-Mar-2026', '2026-03-03'],
  ['29 Feb 2028', '2028-02-29'],
  ['29 Feb 2026', null],
  ['0 May 2026', null],
  ['32 May 2026', null],
  ['1 Foo 2026', null],
  ['1 Febru4ry 2026', null],
  ['1 Fe 2026', null],
  ['1 Feb 26', null],
  ['Feb 2026', null],
  ['soon', null],
  ['', null],
] as const

it.each(cases)('a day typed as "%s" is %s', (text, day) => expect(parseTypedDay(text)).toBe(day))

it('does not change what files may contain: month names are for forms only', () => {
  for (const text of ['1 Feb 2026', '3-Mar-2026', '1st February 2026']) expect(parseDay(text)).toBeNull()
})
