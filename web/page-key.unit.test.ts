import { describe, expect, it } from 'vitest'
import { pageKey } from './page-key.ts'

const key = (originalUrl: string, headers: Record<string, string> = {}, method = 'GET') =>
  pageKey({ method, originalUrl, headers: { host: 'shop.example', ...headers }, protocol: 'https' }, 'cf-ipcountry')

describe('the cache key of a page', () => {
  it.each([
    ['/harbour-light'],
    ['/harbour-light/issues'],
    ['/harbour-light?country=FR'],
    ['/harbour-light?lang=fr&country=be'],
  ])('exists for %s', (url) => expect(key(url)).toEqual(expect.any(String)))

  it.each([
    ['another method', '/harbour-light', {}, 'HEAD'],
    ['a form', '/harbour-light', {}, 'POST'],
    ['a promo code', '/harbour-light?promo=SPRING25', {}],
    ['a promo code beside a country', '/harbour-light?country=FR&promo=SPRING25', {}],
    ['an email campaign', '/harbour-light?utm_source=mail', {}],
    ['an invalid country', '/harbour-light?country=France', {}],
    ['an empty query', '/harbour-light?', {}],
    ['two queries', '/harbour-light?lang=fr?x', {}],
    ['deeper addresses', '/harbour-light/account', {}],
    ['data for a page', '/harbour-light.data', {}],
    ['escaped addresses', '/harbour%20light', {}],
    ['a staff session', '/harbour-light', { cookie: 'masthead-session=abc' }],
    ['a session over https', '/harbour-light', { cookie: 'theme=1; __Host-masthead-session=abc' }],
    ['a reader session', '/harbour-light', { cookie: 'masthead-language=fr; masthead-reader-12=abc' }],
    ['a toast', '/harbour-light', { cookie: 'masthead-toast=%7B%7D' }],
    ['an invalid language', '/harbour-light', { cookie: 'masthead-language=<b>' }],
  ])('does not exist for %s', (_, url, headers, method = 'GET') => expect(key(url, headers, method)).toBeUndefined())

  it('differs wherever the page may differ', () => {
    const keys = [
      key('/harbour-light'),
      key('/harbour-light/issues'),
      key('/Harbour-Light'),
      key('/harbour-light?country=FR'),
      key('/harbour-light?lang=fr'),
      key('/harbour-light', { cookie: 'masthead-language=fr' }),
      key('/harbour-light', { 'accept-language': 'fr-FR' }),
      key('/harbour-light', { 'accept-language': 'fr-BE' }),
      key('/harbour-light', { 'accept-language': 'nl-BE' }),
      key('/harbour-light', { 'cf-ipcountry': 'JP' }),
      key('/harbour-light', { host: 'other.example' }),
      key('/harbour-light', { 'x-forwarded-host': 'other.example' }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('is the same for visitors of one country, whatever else they send', () => {
    const plain = key('/harbour-light')
    const otherHeaders: Record<string, string>[] = [
      { 'accept-language': 'en-GB,en;q=0.9' },
      { 'accept-language': 'cy-GB' },
      { 'user-agent': 'Mozilla', referer: 'https://elsewhere.example/' },
      { cookie: 'consent=yes; _ga=GA1.1' },
    ]
    for (const headers of otherHeaders) expect(key('/harbour-light', headers)).toBe(plain)
  })
})
