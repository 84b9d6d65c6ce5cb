import { createHash, createVerify } from 'node:crypto'

/** Verifies a relaxed/relaxed DKIM signature (RFC 6376, 3.4 and 3.7) independently. */
export function verifyDkim(raw: string, publicKey: string): { tags: Record<string, string>; isValid: boolean } {
  const end = raw.indexOf('\r\n\r\n')
  const fields = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const relaxed = (field: string) => {
    const colon = field.indexOf(':')
    const value = field
      .slice(colon + 1)
      .replaceAll(/[ \t]+/g, ' ')
      .trim()
    return `${field.slice(0, colon).trim().toLowerCase()}:${value}`
  }
  const signature = fields.find((field) => /^DKIM-Signature:/i.test(field)) ?? ''
  const tags = Object.fromEntries(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag) => tag.trim())
      .filter(Boolean)
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1).replaceAll(/\s/g, '')]),
  )
  const body = `${raw
    .slice(end + 4)
    .replaceAll(/[ \t]+(?=\r\n)/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .replace(/(\r\n)*$/, '')}\r\n`
  const bodyHash = createHash('sha256').update(body, 'utf8').digest('base64')
  const signed = (tags.h ?? '')
    .split(':')
    .map((name) => fields.find((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`)))
    .filter((field) => field !== undefined)
    .map(relaxed)
  const text = [...signed, relaxed(signature.replace(/([;\s]b=)[^;]*/, '$1'))].join('\r\n')
  const isValid =
    bodyHash === tags.bh &&
    createVerify('RSA-SHA256')
      .update(text)
      .verify(publicKey, tags.b ?? '', 'base64')
  return { tags, isValid }
}
