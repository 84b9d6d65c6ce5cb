import { expect, it } from 'vitest'
import { webhookUrlProblem } from './webhook-url.rules.ts'

const problem = (url: string, allowsLoopback = false) => webhookUrlProblem(url, { allowsLoopback })

it.each([
  'https://example.com/hooks',
  'https://hooks.example.com:8443/a?b=c',
  'https://93.184.216.34/',
  'https://[2606:2800:220:1:248:1893:25c8:1946]/',
])('accepts %s', (url) => expect(problem(url)).toBeUndefined())

it.each([
  '',
  'example.com/hooks',
  'http://example.com/',
  'ftp://example.com/',
  'https://user:secret@example.com/',
  'https://127.0.0.1/hooks',
  'https://127.1/',
  'https://10.0.0.8/',
  'https://192.168.1.20/',
  'https://169.254.169.254/',
  'https://[::1]/',
  'https://[fd00::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://hooks.localhost/',
  'https://example.com/#part',
  'https://localhost/',
  'https://intranet/',
  `https://example.com/${'x'.repeat(500)}`,
])('refuses %s', (url) => expect(problem(url)).toEqual(expect.any(String)))

it('accepts this machine if the installation allows it', () => {
  expect([problem('http://127.0.0.1:4000/', true), problem('http://localhost:4000/', true)]).toEqual([
    undefined,
    undefined,
  ])
  expect(problem('http://10.0.0.8:4000/', true)).toEqual(expect.any(String))
})
