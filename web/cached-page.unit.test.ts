import { gunzipSync } from 'node:zlib'
import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cachedPage } from './cached-page.ts'

const made = { nonce: 'rN+/gJ3mD0aVbq2kQw9x7A==', formKey: '6f1c1f0e-7d55-4a7e-9a7e-0f7d9f2b1c55' }
const next = { nonce: 'AAAAAAAAAAAAAAAAAAAAAA==', formKey: '00000000-1111-4222-8333-444444444444' }
const asNext = (html: string) => html.replaceAll(made.nonce, next.nonce).replaceAll(made.formKey, next.formKey)

describe('a cached page', () => {
  it('differs only in the nonce and the form key', () => {
    const html = `<p>€ 9,90</p><script nonce="${made.nonce}">1</script><input value="${made.formKey}"><script nonce="${made.nonce}">`
    expect(cachedPage(html, made).plain(next).toString()).toBe(asNext(html))
    expect(cachedPage(html, made).plain(made).toString()).toBe(html)
  })

  it('is decompressed unchanged, whatever is around the holes', () => {
    const piece = oneof(
      string({ unit: 'binary' }),
      constantFrom(made.nonce, made.formKey, 'again and again and '.repeat(3_000)),
    )
    assert(
      property(array(piece, { maxLength: 12 }), (pieces) => {
        const html = pieces.join('')
        const page = cachedPage(html, made)
        for (const visit of [next, made]) {
          expect(gunzipSync(page.gzipped(visit)).equals(page.plain(visit))).toBe(true)
        }
        expect(page.plain(next).toString()).toBe(Buffer.from(asNext(html)).toString())
      }),
      { numRuns: 60 },
    )
  })

  it('refers back across holes, so that many holes add few bytes', () => {
    const list = 'The same words come again and again in this page. '.repeat(20)
    const html = Array.from({ length: 20 }, () => `${list}${made.nonce}`).join('')
    expect(cachedPage(html, made).gzipped(next).length).toBeLessThan(20 * 60 + 400)
  })
})
