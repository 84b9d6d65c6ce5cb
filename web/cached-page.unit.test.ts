import { gunzipSync } from 'node:zlib'
import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cachedPage } from './cached-page.ts'

const rendered = { nonce: 'rN+/gJ3mD0aVbq2kQw9x7A==', formKey: '6f1c1f0e-7d55-4a7e-9a7e-0f7d9f2b1c55' }
const next = { nonce: 'AAAAAAAAAAAAAAAAAAAAAA==', formKey: '00000000-1111-4222-8333-444444444444' }
const asNext = (html: string) => html.replaceAll(rendered.nonce, next.nonce).replaceAll(rendered.formKey, next.formKey)

describe('a cached page', () => {
  it('differs only in the nonce and the form key', () => {
    const html = `<p>€ 9,90</p><script nonce="${rendered.nonce}">1</script><input value="${rendered.formKey}"><script nonce="${rendered.nonce}">`
    expect(cachedPage(html, rendered).plain(next).toString()).toBe(asNext(html))
    expect(cachedPage(html, rendered).plain(rendered).toString()).toBe(html)
  })

  it('is decompressed unchanged, whatever is around the slots', () => {
    const piece = oneof(
      string({ unit: 'binary' }),
      constantFrom(rendered.nonce, rendered.formKey, 'again and again and '.repeat(3_000)),
    )
    assert(
      property(array(piece, { maxLength: 12 }), (pieces) => {
        const html = pieces.join('')
        const page = cachedPage(html, rendered)
        for (const visit of [next, rendered]) {
          expect(gunzipSync(page.gzipped(visit)).equals(page.plain(visit))).toBe(true)
        }
        expect(page.plain(next).toString()).toBe(Buffer.from(asNext(html)).toString())
      }),
      { numRuns: 60 },
    )
  })

  it('refers back across slots, so that many slots add few bytes', () => {
    const list = 'The same words come again and again in this page. '.repeat(20)
    const html = Array.from({ length: 20 }, () => `${list}${rendered.nonce}`).join('')
    expect(cachedPage(html, rendered).gzipped(next).length).toBeLessThan(20 * 60 + 400)
  })
})
