import { expect, it } from 'vitest'
import { maskSecrets } from './mask-secrets.rules.ts'

const site = {
  appUrl: 'https://subs.example.com',
  storefrontUrl: 'https://subs.example.com/the-long-handle-of-a-garden',
}
const token = '4YbVq0Yb9nY3h1tZ7o8Vwq3jv0pC2xk5sR6uEwDfGhI'
const masked = (text: string) => maskSecrets({ html: text, text }, site).html

it.each([
  ['hides the token of a password link', `${site.appUrl}/resetsub/${token}`, `${site.appUrl}/resetsub/hidden`],
  [
    'hides the key of a stop link',
    `${site.storefrontUrl}/stop/r.1k.${token.slice(0, 22)}`,
    `${site.storefrontUrl}/stop/hidden`,
  ],
  [
    'hides the key of a link for changing the card',
    `${site.storefrontUrl}/renew/c.20271121.${token.slice(0, 22)}`,
    `${site.storefrontUrl}/renew/hidden`,
  ],
  ['hides a token in a query', `${site.appUrl}/x?key=${token}&n=1`, `${site.appUrl}/x?key=hidden&n=1`],
  ['leaves an address without a token', `${site.storefrontUrl}/account`, `${site.storefrontUrl}/account`],
  ['leaves the address of the storefront, even with a long handle', site.storefrontUrl, site.storefrontUrl],
  ['leaves an address of another site', `https://else.example/${token}`, `https://else.example/${token}`],
])('%s', (_, link, expected) => {
  expect(masked(`<a href="${link}">Here</a> or ${link}`)).toBe(`<a href="${expected}">Here</a> or ${expected}`)
})

it('leaves the addresses of pictures', () => {
  const picture = `<img src="${site.appUrl}/images/${token}.webp" alt="">`
  expect(masked(picture)).toBe(picture)
})
