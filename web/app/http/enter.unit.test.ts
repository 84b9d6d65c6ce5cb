import { describe, expect, it } from 'vitest'
import { userTypes } from '#core/access/user-types.ts'
import { contentDisposition } from './download.ts'
import { safeReturn } from './enter.ts'
import { screenAccess } from './screens.ts'

describe('coming back after login', () => {
  it('goes to own pages only', () => {
    expect(safeReturn('/searchreaders/4?q=smith&page=2', '/dashboard')).toBe('/searchreaders/4?q=smith&page=2')
    const elsewhere = [
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
    ]
    for (const to of elsewhere) expect(safeReturn(to, '/dashboard'), String(to)).toBe('/dashboard')
  })

  it('does not go round in circles', () => {
    for (const to of ['/login', '/slogin?returnTo=/x', '/logout', '/api/users'])
      expect(safeReturn(to, '/readers'), to).toBe('/readers')
    expect(safeReturn('/login-guide', '/readers')).toBe('/login-guide')
  })
})

describe('the screen table', () => {
  it('sends nobody in a circle', () => {
    const homes = { '/dashboard': 'dashboard', '/publishers': 'publishers', '/readers': 'readers' } as const
    for (const start of ['dashboard', 'publishers', 'readers', 'payments', 'searchReaders'] as const) {
      for (const userType of userTypes) {
        let access = screenAccess(start, userType)
        for (let step = 0; step < 3 && !access.isAllowed; step++)
          access = screenAccess(homes[access.elsewhere as keyof typeof homes], userType)
        expect(access.isAllowed, `${userType} from ${start}`).toBe(true)
      }
    }
  })
})

describe('a download’s name', () => {
  it('stands in plain letters and exactly', () => {
    expect(contentDisposition('Été "Light" 2122026.csv')).toBe(
      `attachment; filename="Ete _Light_ 2122026.csv"; filename*=UTF-8''%C3%89t%C3%A9%20%22Light%22%202122026.csv`,
    )
    expect(contentDisposition("a\r\nSet-Cookie: x='1'.csv")).not.toMatch(/[\r\n]/)
  })
})
