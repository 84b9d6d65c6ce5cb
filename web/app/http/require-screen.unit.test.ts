import type { AppLoadContext } from '@remix-run/node'
import { describe, expect, it } from 'vitest'
import { userTypes } from '#core/access/user-types.ts'
import { contentDisposition } from './download.ts'
import { safeReturn } from './require-screen.ts'
import { screenAccess } from './screens.ts'
import { takeToast } from './toast.ts'

const pages = { isPage: (path: string) => path !== '/dashboard/figures?part=views' }

describe('the return address after a log-in', () => {
  it('leads only to this site', () => {
    expect(safeReturn(pages, '/searchreaders/4?q=smith&page=2', '/dashboard')).toBe('/searchreaders/4?q=smith&page=2')
    const otherSites = [
      'https://evil.test/',
      '//evil.test',
      '/\\evil.test',
      '\\\\evil.test',
      '/\t/evil.test',
      '/\n/evil.test',
      'javascript:alert(1)',
      'evil.test',
      '',
      null,
      // Browsers remove dot segments: the remaining path must not begin with two slashes.
      '/..//evil.test',
      '/.//evil.test',
      '/x/..//evil.test',
      '/x/y/../..//evil.test/',
      '/%2e%2e//evil.test',
      '/%2E//evil.test',
      '/x/%2e%2E//evil.test',
      '/..///evil.test',
      '/..//user:secret@evil.test:8080/path?q#hash',
      '/..\\/evil.test',
      '/..\\\\evil.test',
      '/.\t.//evil.test',
      '/..\r\n//evil.test',
      '\t//evil.test',
      ' //evil.test',
      '/\u0000/evil.test',
      '///evil.test',
      '/\\/evil.test',
      'http:evil.test',
      'http:/evil.test',
      'http:///evil.test',
      '//own.invalid',
      '//own.invalid//evil.test',
      'http://own.invalid/dashboard',
      '//[',
      'data:text/html,x',
      '?x=//evil.test',
      '#//evil.test',
    ]
    for (const to of otherSites) expect(safeReturn(pages, to, '/dashboard'), JSON.stringify(to)).toBe('/dashboard')
  })

  it('is exactly the requested page', () => {
    const own = {
      '/reader/4?list=%3Fq%3Dsmith#notes': '/reader/4?list=%3Fq%3Dsmith#notes',
      '/a/./b/../c': '/a/c',
      '/x?next=//evil.test': '/x?next=//evil.test',
      '/%2F/evil.test': '/%2F/evil.test',
      '/x//evil.test': '/x//evil.test',
      '/été': '/%C3%A9t%C3%A9',
    }
    for (const [to, expected] of Object.entries(own)) expect(safeReturn(pages, to, '/dashboard'), to).toBe(expected)
  })

  it('is never data or a file', () => {
    expect(safeReturn(pages, '/dashboard/figures?part=views', '/readers')).toBe('/readers')
  })

  it('causes no redirect loop', () => {
    for (const to of ['/login', '/slogin?returnTo=/x', '/logout', '/api/users', '/x/../login', '/%2e/logout'])
      expect(safeReturn(pages, to, '/readers'), to).toBe('/readers')
    expect(safeReturn(pages, '/login-guide', '/readers')).toBe('/login-guide')
  })
})

describe('a toast from a cookie', () => {
  const toastWith = (to: string) => {
    const value = encodeURIComponent(
      JSON.stringify({ id: '1', kind: 'success', text: 'Saved', action: { label: 'Undo', to } }),
    )
    const request = new Request('http://localhost/', { headers: { cookie: `masthead-toast=${value}` } })
    return takeToast(request, { isSecure: false } as AppLoadContext).toast
  }

  it('links only to this site', () => {
    expect(toastWith('/readers?q=smith')?.action?.to).toBe('/readers?q=smith')
    for (const to of ['//evil.test', '/..//evil.test', '/\\evil.test', 'https://evil.test'])
      expect(toastWith(to), to).not.toHaveProperty('action')
  })
})

describe('the screen table', () => {
  it('causes no redirect loop', () => {
    const homes = { '/dashboard': 'dashboard', '/publishers': 'publishers', '/readers': 'readers' } as const
    for (const start of ['dashboard', 'publishers', 'readers', 'payments', 'searchReaders'] as const) {
      for (const userType of userTypes) {
        let access = screenAccess(start, userType)
        for (let step = 0; step < 3 && !access.isAllowed; step++)
          access = screenAccess(homes[access.redirectTo as keyof typeof homes], userType)
        expect(access.isAllowed, `${userType} from ${start}`).toBe(true)
      }
    }
  })
})

describe('the Content-Disposition of a download', () => {
  it('has the file name in ASCII and exactly', () => {
    expect(contentDisposition('Été "Light" 2122026.csv')).toBe(
      `attachment; filename="Ete _Light_ 2122026.csv"; filename*=UTF-8''%C3%89t%C3%A9%20%22Light%22%202122026.csv`,
    )
    expect(contentDisposition("a\r\nSet-Cookie: x='1'.csv")).not.toMatch(/[\r\n]/)
  })
})
