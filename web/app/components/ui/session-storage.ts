/** The values of a tab as own properties, like those of `Storage`; they last until the page is reloaded. */
class MemoryStorage {
  readonly [key: string]: unknown

  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null
  }

  setItem(key: string, value: string): void {
    Object.defineProperty(this, key, { value, configurable: true, enumerable: true })
  }

  removeItem(key: string): void {
    Reflect.deleteProperty(this, key)
  }
}

/**
 * Keeps the session storage in memory where the browser forbids it, as it does where all cookies are blocked: the router uses it
 * without a check, and its error would take the place of the page, even of the one after a paid order.
 */
export function ensureSessionStorage(): void {
  try {
    void window.sessionStorage
  } catch {
    Object.defineProperty(window, 'sessionStorage', { value: new MemoryStorage() })
  }
}
