import { expect, it } from 'vitest'
import { maskPasswords } from './mask-passwords.rules.ts'

it.each([
  ['postgres://app:secret@db:5432/masthead', 'postgres://app:***@db:5432/masthead'],
  ['smtp://news@example.com:hunter2@smtp.example.com:587', 'smtp://news@example.com:***@smtp.example.com:587'],
  ['postgres://app:p@ss@db/x', 'postgres://app:***@db/x'],
  ['postgres://app:p@ss:w@db/x', 'postgres://app:***@db/x'],
  ['postgres://app:p/w@db/x', 'postgres://app:***@db/x'],
  ['postgres://app:p/w@x@db/y', 'postgres://app:***@db/y'],
  ['"postgres://a:b@c/d","e@f"', '"postgres://a:***@c/d","e@f"'],
  ['smtp://a@b.example:p/w@host', 'smtp://a@b.example:***@host'],
  ['redis://:secret@[::1]:6379', 'redis://:***@[::1]:6379'],
  ['from postgres://a:b@c to smtp://d@e:f@g, twice', 'from postgres://a:***@c to smtp://d@e:***@g, twice'],
  ['https://example.com:8080/path', 'https://example.com:8080/path'],
  ['https://example.com/@name', 'https://example.com/@name'],
  ['smtp://news@example.com', 'smtp://news@example.com'],
])('%s is shown as %s', (text, shown) => {
  expect(maskPasswords(text)).toBe(shown)
})
