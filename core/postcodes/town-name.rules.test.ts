import { expect, it } from 'vitest'
import { townName } from './town-name.rules.ts'

it.each([
  ['LONDON', 'London'],
  ['STOKE-ON-TRENT', 'Stoke-on-Trent'],
  ['NEWCASTLE UPON TYNE', 'Newcastle upon Tyne'],
  ['ISLE OF BUTE', 'Isle of Bute'],
  ["KING'S LYNN", "King's Lynn"],
  ['THE HAGUE', 'The Hague'],
  ['St Ives', 'St Ives'],
  ['', ''],
])('%s is %s', (text, town) => {
  expect(townName(text)).toBe(town)
})
