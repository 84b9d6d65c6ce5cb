/** Whether a field's value is never sent back with a refused form, nor kept in the browser: a password, a key or the like. */
export function isSecretField(name: string): boolean {
  return /password|passphrase|privateKey|headerValue/i.test(name)
}
