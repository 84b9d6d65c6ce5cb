import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FileSize } from './formats.tsx'

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [28_300_000, '28.3 MB'],
])('a file of %i bytes is shown as %s', (bytes, text) => {
  expect(renderToStaticMarkup(createElement(FileSize, { bytes }))).toBe(text)
})
