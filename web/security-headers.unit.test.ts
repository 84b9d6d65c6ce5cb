import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { securityHeaders } from './security-headers.ts'

const app = express()
app.use(securityHeaders({ isSecure: true, formTargets: [], stripeApi: 'https://api.stripe.com' }))
app.use((_, response) => void response.send('ok'))
const server = app.listen(0, '127.0.0.1')
beforeAll(() => server.listening || once(server, 'listening'))
afterAll(() => server.close())

const headersOf = async (path: string) =>
  (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).headers

// The router ignores the case of an address, and so do these rules.
it.each([
  ['/harbour-light', true],
  ['/signup/plan', true],
  ['/SignUp/Plan', true],
  ['/login', false],
  ['/LogIn', false],
])('%s may load the script of Stripe: %s', async (path, isAllowed) => {
  const policy = (await headersOf(path)).get('content-security-policy') ?? ''
  expect(policy.includes('https://js.stripe.com')).toBe(isAllowed)
})

it.each([
  ['/reset/secret', 'same-origin'],
  ['/resetprint/secret', 'same-origin'],
  ['/Harbour-Light/Extend/secret', 'same-origin'],
  ['/harbour-light', 'strict-origin-when-cross-origin'],
])('%s sets the referrer policy %s', async (path, policy) => {
  expect((await headersOf(path)).get('referrer-policy')).toBe(policy)
})
