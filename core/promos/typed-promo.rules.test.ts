import { expect, it } from 'vitest'
import { z } from 'zod'
import { promoFields } from './promo.input.ts'
import { type TypedPromo, typedPromoSentence } from './typed-promo.rules.ts'

const today = '2026-11-21'
const year = { priceOneYear: true }
const typed: TypedPromo = {
  discountPercent: '25',
  startsOn: '',
  endsOn: '',
  uses: '',
  applicableProducts: { print: year },
}

const cases: [Partial<TypedPromo>, string][] = [
  [{}, '25% off print (one year), from today, with no end, unlimited uses.'],
  [{ endsOn: '31 Dec 2026', uses: '50' }, '25% off print (one year), from today, until 31-12-2026, at most 50 uses.'],
  [
    { startsOn: '1/12/2026', discountPercent: ' 5 ' },
    '5% off print (one year), from 01-12-2026, with no end, unlimited uses.',
  ],
  [{ discountPercent: '' }, 'To see what this code does, fill in the discount.'],
  [{ discountPercent: '101' }, 'To see what this code does, fill in the discount.'],
  [
    { discountPercent: '0', startsOn: '31/02/2027', endsOn: 'soon', uses: 'ten' },
    'To see what this code does, fill in the discount, the start date, the end date and the uses.',
  ],
  [{ startsOn: '2/12/2026', endsOn: '1/12/2026' }, 'This code would never work: it ends before it starts.'],
  [{ endsOn: '20/11/2026' }, 'This code would not work: its end date has passed.'],
  [{ startsOn: '1/11/2026', endsOn: '20/11/2026' }, 'This code would not work: its end date has passed.'],
]
it.each(cases)('%j', (fields, sentence) => expect(typedPromoSentence({ ...typed, ...fields }, today)).toBe(sentence))

it('describes a code exactly where the form would accept its fields', () => {
  const { discountPercent, startsOn, endsOn, uses } = promoFields
  const schema = z.object({ discountPercent, startsOn, endsOn, uses })
  const texts = ['', ' ', '0', '1', '25', '100', '101', '12.5', '-1', '1e2', 'x', '999999', '1000000', '1000001']
  const days = ['', '1/2/2027', '01-02-2027', '1 Feb 2027', '31/02/2027', '2027', 'never']
  for (const text of texts) {
    for (const day of days) {
      for (const fields of [{ discountPercent: text }, { uses: text }, { startsOn: day }, { endsOn: day }]) {
        const form = { ...typed, ...fields }
        const isDescribed = !typedPromoSentence(form, today).startsWith('To see')
        expect([fields, isDescribed]).toEqual([fields, schema.safeParse(form).success])
      }
    }
  }
})
