import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contrastOf } from '#tests/support/contrast.ts'
import { themeOf } from './theme.rules.ts'

it.each([
  ['#1F2933', '#C7CACC', '#FFFFFF'],
  ['#8B1E3F', '#E2C7CF', '#FFFFFF'],
  ['#F2C200', '#FCF0BF', '#000000'],
  ['#0b7285', '#C2DCE1', '#FFFFFF'],
  ['#000000', '#BFBFBF', '#FFFFFF'],
])('%s is shown on the background %s with a label in %s', (color, background, label) => {
  expect(themeOf(color)).toMatchObject({ color: color.toUpperCase(), background, label })
})

it('darkens by 15% and falls back to the default for an invalid colour', () => {
  expect(themeOf('#646464').shade).toBe('#555555')
  expect(themeOf('red; } body { display: none').color).toBe('#1F2933')
})

it('keeps every label and all dark text readable, whatever colour a publisher picks', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (rgb) => {
      const color = `#${rgb.toString(16).padStart(6, '0')}`
      const theme = themeOf(color)
      expect(contrastOf(theme.label, theme.color)).toBeGreaterThanOrEqual(4.5)
      expect(contrastOf('#17202A', theme.background)).toBeGreaterThanOrEqual(7)
    }),
    { numRuns: 500 },
  )
})
