import { afterEach, expect, it, vi } from 'vitest'
import { saveContents, savedForm } from './form-backup.tsx'

afterEach(() => vi.unstubAllGlobals())

const backup = { person: 'staff 1', contents: [['lastName', 'Typed']] as const }
const fail = () => {
  throw new Error('The quota has been exceeded, or the user has blocked storage')
}

it('a form whose backup cannot be stored can be submitted nevertheless', () => {
  vi.stubGlobal('sessionStorage', { setItem: fail })
  expect(() => saveContents('sent /', backup)).not.toThrow()
})

it('a page whose browser blocks storage has no backup to offer', () => {
  vi.stubGlobal('sessionStorage', { getItem: fail, removeItem: fail })
  expect(savedForm('sent /', 'staff 1')).toBeNull()
})

it('a backup is offered only to the person who typed it', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  })
  saveContents('sent /', backup)
  expect(savedForm('sent /', 'staff 1')).toEqual(backup.contents)
  expect(savedForm('sent /', 'staff 2')).toBeNull()
  expect(stored.size).toBe(0)
})
