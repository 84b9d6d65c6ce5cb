import { describe, expect, it } from 'vitest'
import { deferred } from '#tests/support/deferred.ts'
import { download } from './download.ts'

/** A file whose first chunk waits until `finish`; `closed` resolves once its source has been ended. */
function slowFile() {
  const gate = deferred()
  const closed = deferred<'closed'>()
  async function* chunks() {
    try {
      await gate.promise
      for (;;) yield 'a row\r\n'
    } finally {
      closed.resolve('closed')
    }
  }
  return { chunks: chunks(), finish: gate.resolve, closed: closed.promise }
}

function request() {
  const client = new AbortController()
  return { client, request: new Request('http://x/readers.csv', { signal: client.signal }) }
}

describe('the source of a download is ended when the client disconnects', () => {
  it('before the first chunk: the router has given up the response', async () => {
    const file = slowFile()
    const { client, request: abandoned } = request()
    const response = download(abandoned, 'readers.csv', file.chunks)
    client.abort()
    file.finish()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
    expect(await file.closed).toBe('closed')
  })

  it('before anybody reads the response', async () => {
    const file = slowFile()
    const { client, request: abandoned } = request()
    file.finish()
    await download(abandoned, 'readers.csv', file.chunks)
    client.abort()
    expect(await file.closed).toBe('closed')
  })

  it('while the response is read', async () => {
    const file = slowFile()
    file.finish()
    const { body } = await download(request().request, 'readers.csv', file.chunks)
    const reader = body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(await file.closed).toBe('closed')
  })
})
