import { describe, expect, it } from 'vitest'
import { sourceName, sourceOf, withoutSource } from './traffic-source.rules.ts'

const sourceOfQuery = (query: string) => sourceOf(new URLSearchParams(query))

describe('the source of a link', () => {
  it('consists of the campaign names, in lower case', () => {
    expect(sourceOfQuery('utm_source=News-Letter&utm_medium=email&utm_campaign=Spring+2026')).toEqual({
      utmSource: 'news-letter',
      utmMedium: 'email',
      utmCampaign: 'spring 2026',
    })
    expect(sourceOfQuery('utm_source=Stra%C3%9Fe')).toMatchObject({
      utmSource: 'straße',
      utmMedium: '',
      utmCampaign: '',
    })
    expect(sourceOfQuery('utm_medium=email')).toBeNull()
    expect(sourceOfQuery('utm_source=a%00b&utm_source=good')).toBeNull()
  })

  it.each([
    ['', ''],
    [' newsletter ', 'newsletter'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), ''],
    ['x'.repeat(10_000), ''],
    ['<script>alert(1)</script>', ''],
    ['ann@example.com', ''],
    ['=HYPERLINK("x")', ''],
    ['-1+1', ''],
    ['a\r\nb', ''],
    ['\u202ea', ''],
  ])('is a plain name or none: %s', (text, name) => expect(sourceName(text)).toBe(name))
})

describe('the address of a page without its source', () => {
  it.each([
    ['/harbour-light?utm_source=mail', '/harbour-light'],
    ['/harbour-light/issues?utm_source=a&country=FR&UTM_Medium=b', '/harbour-light/issues?country=FR'],
    ['/harbour-light?promo=SPRING&utm_source=<b>&utm_id=1', '/harbour-light?promo=SPRING'],
    ['/harbour-light?country=FR', '/harbour-light?country=FR'],
    ['/harbour-light?', '/harbour-light?'],
    ['/harbour-light?x=utm_source', '/harbour-light?x=utm_source'],
    ['/harbour-light?a?utm_source=b', '/harbour-light?a?utm_source=b'],
    ['/orderDetails/7?utm_source=b', '/orderDetails/7?utm_source=b'],
  ])('%s is %s', (address, addressWithoutSource) => expect(withoutSource(address)).toBe(addressWithoutSource))
})
