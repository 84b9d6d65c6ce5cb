import { describe, expect, it } from 'vitest'
import type { SubType } from '../terms/term.rules.ts'
import { recordToExtend } from './record-to-extend.rules.ts'

const today = '2026-11-21'
const held = (name: string, subType: SubType | '', subEndOn: string, isDeleted = false) => ({
  name,
  subType,
  subEndOn,
  isDeleted,
  subStartOn: '2026-01-01',
  subAnchorDay: null,
})
const year = (product: SubType) => ({ product, termMonths: 12 as const })

const bundle = held('bundle', 'bundle', '2027-05-03')
const print = held('print', 'print', '2027-02-01')
const over = held('over', 'digital', '2026-02-01')

describe('the record that a purchase extends', () => {
  it.each([
    ['print', [bundle, over, print], 'print'],
    ['bundle', [print, bundle], 'bundle'],
    // A running record is upgraded to a bundle before an ended one restarts.
    ['bundle', [over, print], 'print'],
    ['print', [bundle, over], 'over'],
    ['print', [held('older', 'digital', '2025-02-01'), over], 'over'],
    ['digital', [held('gone', 'digital', '2027-02-01', true), over], 'over'],
    ['digital', [held('gone', 'digital', '2027-02-01', true), bundle], 'gone'],
    ['print', [held('blank', '', '2100-01-01')], 'blank'],
  ] as const)('of %s: %#', (product, records, name) => {
    for (const order of [records, records.toReversed()])
      expect(recordToExtend(order, year(product), today)?.record.name).toBe(name)
  })

  it('is none when every record is in a running term of another product', () => {
    expect(recordToExtend([bundle, print], year('digital'), today)).toBeNull()
    expect(recordToExtend([], year('digital'), today)).toBeNull()
  })
})
