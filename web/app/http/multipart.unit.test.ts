import { describe, expect, it } from 'vitest'
import { boundaryOf, multipartParts } from './multipart.ts'

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function read(bytes: Uint8Array, contentType: string, size: number) {
  const found: [string, string | null, string][] = []
  for await (const { name, fileName, content } of multipartParts(
    inPieces(bytes, size),
    boundaryOf(contentType) ?? '',
  )) {
    const pieces: Buffer[] = []
    for await (const piece of content) pieces.push(piece)
    found.push([name, fileName, Buffer.concat(pieces).toString('utf8')])
  }
  return found
}

/** A form as the platform itself writes it. */
async function written(form: FormData) {
  const response = new Response(form)
  return { bytes: new Uint8Array(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' }
}

describe('multipartParts', () => {
  const form = new FormData()
  form.set('mode', 'add')
  form.set('file', new File(['a,b\r\n--not the boundary\r\n\r\nü,€\r\n'], 'Leser "März".csv'))
  form.set('after', 'x\r\ny')

  it.each([1, 2, 3, 7, 50, 64, 1000, 100_000])('reads a form that comes in pieces of %i bytes', async (size) => {
    const { bytes, type } = await written(form)
    expect(await read(bytes, type, size)).toEqual([
      ['mode', null, 'add'],
      ['file', 'Leser "März".csv', 'a,b\r\n--not the boundary\r\n\r\nü,€\r\n'],
      ['after', null, 'x\r\ny'],
    ])
  })

  it('steps over what nobody read', async () => {
    const { bytes, type } = await written(form)
    const names: string[] = []
    for await (const { name, content } of multipartParts(inPieces(bytes, 10), boundaryOf(type) ?? '')) {
      for await (const _ of content) break
      names.push(name)
    }
    expect(names).toEqual(['mode', 'file', 'after'])
  })

  it('tells a file box that was left alone from a field', async () => {
    const body =
      '--X\r\nContent-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--X--\r\n'
    expect(await read(new TextEncoder().encode(body), 'multipart/form-data; boundary=X', 9)).toEqual([['file', '', '']])
  })

  it.each([
    ['that breaks off', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 20)],
    ['that is nothing', () => new Uint8Array()],
    ['without its boundary', () => new TextEncoder().encode('hello')],
    ['with endless headers', () => new TextEncoder().encode(`--X\r\n${'a'.repeat(40_000)}`)],
  ])('refuses a body %s', async (_, cut) => {
    const { bytes, type } = await written(form)
    await expect(read(cut(bytes), type, 1000)).rejects.toMatchObject({ kind: 'malformed' })
  })

  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
    ['application/json', null],
    ['multipart/mixed; boundary=abc', null],
    ['multipart/form-data', null],
  ])('knows the boundary of %s', (type, boundary) => expect(boundaryOf(type)).toBe(boundary))
})
