import { describe, expect, it } from 'vitest'
import { textOf } from '#tests/support/text-of.ts'
import { isMultipart, openForm } from './multipart.ts'

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function read(body: AsyncIterable<Uint8Array>, contentType: string) {
  const { fields, file, discardRest } = await openForm(contentType, body)
  const text = file && (await textOf(file.chunks))
  await discardRest()
  return { fields, fileName: file?.fileName, text }
}

/** A form encoded by the platform itself. */
async function encoded(form: FormData) {
  const response = new Response(form)
  return { bytes: new Uint8Array(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const boundaryX = 'multipart/form-data; boundary=X'

describe('openForm', () => {
  const form = new FormData()
  form.set('mode', 'add')
  form.set('other', new File(['not this one'], 'other.csv'))
  form.set('file', new File(['a,b\r\n--not the boundary\r\n\r\nü,€\r\n'], 'C:\\Leser "März".csv'))
  form.set('after', 'x\r\ny')

  it.each([1, 2, 3, 7, 50, 64, 1000, 100_000])('reads a form that arrives in chunks of %i bytes', async (size) => {
    const { bytes, type } = await encoded(form)
    expect(await read(inPieces(bytes, size), type)).toEqual({
      fields: { mode: 'add' },
      fileName: 'C:\\Leser "März".csv',
      text: 'a,b\r\n--not the boundary\r\n\r\nü,€\r\n',
    })
  })

  it('discards unread data up to the end of the body', async () => {
    const largeForm = new FormData()
    largeForm.set('file', new File(['a'.repeat(1_000_000)], 'a.csv'))
    const { bytes, type } = await encoded(largeForm)
    let sent = 0
    async function* counted() {
      for await (const piece of inPieces(bytes, 10_000)) {
        sent += piece.length
        yield piece
      }
    }
    const { file, discardRest } = await openForm(type, counted())
    for await (const _ of file?.chunks ?? []) break
    // Reads ahead only as far as the streams' buffers.
    expect(sent).toBeLessThan(300_000)
    await discardRest()
    expect(sent).toBe(bytes.length)
  })

  it('distinguishes an empty file input from a form without one', async () => {
    const body = (parameters: string) =>
      `--X\r\nContent-Disposition: form-data; name="file"${parameters}\r\n\r\n\r\n--X--\r\n`
    const emptyInput = body('; filename=""\r\nContent-Type: application/octet-stream')
    expect(await read(inPieces(bytesOf(emptyInput), 9), boundaryX)).toEqual({ fields: {}, fileName: '', text: '' })
    expect(await read(inPieces(bytesOf(body('')), 9), boundaryX)).toEqual({
      fields: { file: '' },
      fileName: undefined,
      text: null,
    })
  })

  const refused = { kind: 'malformed' }

  it.each([
    ['at its end', 20],
    ['in its file', 200],
  ])('refuses a body that is truncated %s', async (_, missing) => {
    const { bytes, type } = await encoded(form)
    await expect(read(inPieces(bytes.subarray(0, -missing), 1000), type)).rejects.toMatchObject(refused)
  })

  it.each([
    ['that is empty', ''],
    ['without its boundary', 'hello'],
    ['with another boundary', '--Y\r\nContent-Disposition: form-data; name="mode"\r\n\r\nadd\r\n--Y--\r\n'],
    ['with endless headers', `--X\r\n${'a'.repeat(40_000)}`],
  ])('refuses a body %s', async (_, body) => {
    await expect(read(inPieces(bytesOf(body), 1000), boundaryX)).rejects.toMatchObject(refused)
  })

  it('refuses malformed headers before the body is complete', async () => {
    async function* waiting() {
      yield bytesOf('--X\r\n: no name\r\n\r\n')
      await new Promise(() => {})
    }
    await expect(openForm(boundaryX, waiting())).rejects.toMatchObject({ kind: 'malformed' })
  })

  it('limits the fields before the file', async () => {
    const manyFields = new FormData()
    for (let index = 0; index < 51; index++) manyFields.set(`f${index}`, 'x')
    const longField = new FormData()
    longField.set('mode', 'x'.repeat(10_001))
    const message = 'The field mode is larger than 9.8 kB'
    for (const [largeForm, refusal] of [
      [manyFields, { kind: 'malformed' }],
      [longField, { kind: 'tooLarge', message, fields: { mode: message } }],
    ] as const) {
      largeForm.set('file', new File(['a'], 'a.csv'))
      const { bytes, type } = await encoded(largeForm)
      for (const size of [100, 100_000]) await expect(read(inPieces(bytes, size), type)).rejects.toMatchObject(refusal)
    }
  })

  it('rethrows a connection error, both while reading the file and at the end', async () => {
    const connectionError = new Error('aborted')
    async function* aborted() {
      yield bytesOf('--X\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nEmail\r\n')
      throw connectionError
    }
    const { file, discardRest } = await openForm(boundaryX, aborted())
    await expect(textOf(file?.chunks ?? (async function* () {})())).rejects.toBe(connectionError)
    await expect(discardRest()).rejects.toBe(connectionError)
  })
})

it.each([
  ['multipart/form-data; boundary=abc', true],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b"', true],
  ['application/json', false],
  ['multipart/mixed; boundary=abc', false],
  ['multipart/form-data', false],
  ['multipart/form-data; boundary=', false],
])('recognises whether %s is a form it can read', (type, isForm) => expect(isMultipart(type)).toBe(isForm))
