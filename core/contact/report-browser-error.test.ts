import { beforeAll, beforeEach, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { reportBrowserError } from './report-browser-error.ts'

let services: TestServices
const logged: object[] = []
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  logged.length = 0
  await services.db.run(`DELETE FROM rate_limits`)
})

function contextFrom(address: string): AppContext {
  const log = { ...services.log, error: (fields: object) => void logged.push(fields) }
  return { ...services.as(visitor), log, origin: { entryPoint: 'test', address } }
}

const fault = {
  reference: '3f9a-11bc-0d2e',
  message: `Cannot read properties of undefined (reading 'map')`,
  stack: `TypeError: Ann O'Brien\n    at Row (https://press.example/assets/users-x1.js:1:20)\n    at https://press.example/assets/shop-a2.js:3:4`,
  path: '/harbour-light',
  build: '1f4c2a9d',
}

it('a report is logged under its reference, with its location in the scripts', async () => {
  await reportBrowserError(contextFrom('192.0.2.1'), fault)
  expect(logged).toEqual([{ ...fault, stack: ['at Row (/assets/users-x1.js:1:20)', 'at /assets/shop-a2.js:3:4'] }])
})

it('removes what may identify a person: quoted text, email addresses, query strings, tokens in URLs', async () => {
  const firefox = 'Row@https://press.example/assets/users-x1.js:1:20\nann@example.test said so'
  await reportBrowserError(contextFrom('192.0.2.1'), {
    ...fault,
    message: `"Ann O'Brien"... is not JSON, ann@example.test, https://press.example/readers?q=Quill`,
    stack: firefox,
    path: `/resetsub/${'Zk3v-'.repeat(8)}?email=ann@example.test`,
  })
  expect(JSON.stringify(logged)).not.toMatch(/Ann|ann|Quill|Zk3v/)
  expect(logged).toMatchObject([{ stack: ['Row@/assets/users-x1.js:1:20'], path: '/resetsub/…' }])
})

it('a report is refused when it is too long or invalid', async () => {
  const wrong = [
    { message: 'x'.repeat(301) },
    { stack: 'x'.repeat(3001) },
    { reference: 'mine' },
    { build: '<b>' },
    { path: 1 },
  ]
  for (const part of wrong)
    await expect(reportBrowserError(contextFrom('192.0.2.1'), { ...fault, ...part })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { [Object.keys(part)[0] ?? '']: expect.anything() },
    })
  await expect(reportBrowserError(contextFrom('192.0.2.1'), [])).rejects.toMatchObject({ kind: 'invalid' })
  expect(logged).toEqual([])
})

it('accepts twenty reports per IP address in a quarter of an hour, and other addresses are unaffected', async () => {
  for (let n = 0; n < 20; n++) await reportBrowserError(contextFrom('192.0.2.1'), fault)
  await expect(reportBrowserError(contextFrom('192.0.2.1'), fault)).rejects.toMatchObject({ kind: 'tooMany' })
  expect(logged).toHaveLength(20)
  await reportBrowserError(contextFrom('192.0.2.2'), fault)
  expect(logged).toHaveLength(21)
})
