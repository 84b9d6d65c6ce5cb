import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express from 'express'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { bodyTimeout } from './body-timeout.ts'

let port = 0
/** How much of its body the server has read, by path. */
const bytesOf = new Map<string, number>()
const reads = new EventEmitter()
const app = express()
// Bodies of `/file` have no timeout; `/refused` responds before it has read a byte.
app.use(bodyTimeout(300, (path) => !path.startsWith('/form')))
app.post('/refused', (_, response) => void response.status(403).end('no'))
app.use(async (request, response) => {
  let bytes = 0
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length
      bytesOf.set(request.path, bytes)
      reads.emit('read')
    }
  } catch {
    return
  }
  response.end(String(bytes))
})
const server = createServer(app)
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

// The time passes only where a test says so.
beforeEach(() => {
  bytesOf.clear()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})
// Not by `expect.poll`, which moves the clock.
async function untilRead(path: string, bytes: number): Promise<void> {
  while (bytesOf.get(path) !== bytes) await once(reads, 'read')
}

/** A connection that has sent a request's headers and the beginning of its body. */
function beginRequest(path: string, length: number): { socket: Socket; response: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\nab`)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  // Closing the connection may also emit an error.
  socket.on('error', () => {})
  return { socket, response: once(socket, 'close').then(() => text) }
}

it('times out a slow form with a 408, but not a file upload', async () => {
  const file = beginRequest('/file', 4)
  const form = beginRequest('/form', 1_000_000)
  await untilRead('/file', 2)
  // Each byte comes soon after the one before: the whole form has to arrive in time.
  for (const bytes of [2, 3, 4]) {
    await untilRead('/form', bytes)
    vi.advanceTimersByTime(99)
    form.socket.write('x')
  }
  await untilRead('/form', 5)
  expect(form.socket.readyState).toBe('open')
  vi.advanceTimersByTime(10)
  expect(await form.response).toContain('HTTP/1.1 408 Request Timeout')
  // The file has been uploading for as long.
  file.socket.end('cd')
  expect(await file.response).toMatch(/200 OK.*\r\n4$/s)
})

it('times out the rest of an upload that has already got its response', async () => {
  const { socket, response } = beginRequest('/refused', 1_000_000)
  await once(socket, 'data')
  vi.advanceTimersByTime(300)
  expect(await response).toContain('403 Forbidden')
})

it('waits for a form that keeps the minimum rate', async () => {
  const large = beginRequest('/form/large', 1_000_004)
  large.socket.write(Buffer.alloc(1_000_000, 'x'))
  const small = beginRequest('/form/small', 4)
  await untilRead('/form/large', 1_000_002)
  await untilRead('/form/small', 2)
  vi.advanceTimersByTime(310)
  expect(await small.response).toContain('408')
  // The bytes received so far extend the timeout by almost half a minute.
  vi.advanceTimersByTime(25_000)
  large.socket.end('cd')
  expect(await large.response).toMatch(/200 OK.*\r\n1000004$/s)
})
