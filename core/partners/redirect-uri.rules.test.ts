import { describe, expect, it } from 'vitest'
import { redirectHost, redirectUriProblem, withParameters } from './redirect-uri.rules.ts'

describe('a redirect address', () => {
  it.each([
    'https://app.example.com/login',
    'https://app.example.com:8443/login?tenant=7',
    'http://127.0.0.1:4000/back',
    'http://[::1]:4000/back',
    'com.example.reader:/login',
  ])('may be %s', (uri) => expect(redirectUriProblem(uri)).toBeUndefined())

  it.each([
    'http://app.example.com/login',
    'http://localhost/login',
    '//app.example.com/login',
    '/login',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'myapp:/login',
    'https://*.example.com/login',
    'https://app.example.com/login#part',
    'https://app.example.com/login#',
    'https://user:secret@app.example.com/',
    `https://app.example.com/${'x'.repeat(500)}`,
    '',
  ])('may not be %s', (uri) => expect(redirectUriProblem(uri)).toEqual(expect.any(String)))

  it('keeps its own parameters alongside those of the response', () => {
    expect(withParameters('https://a.example/x?y=1', { code: 'c&d', state: undefined })).toBe(
      'https://a.example/x?y=1&code=c%26d',
    )
    expect(withParameters('com.example.reader:/login', { code: 'c' })).toBe('com.example.reader:/login?code=c')
    expect([redirectHost('https://a.example:8443/x'), redirectHost('com.example.reader:/x')]).toEqual([
      'a.example:8443',
      'com.example.reader',
    ])
  })
})
