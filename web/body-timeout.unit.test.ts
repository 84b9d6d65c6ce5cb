import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bodyTimeout } from './body-timeout.ts'

let port = 0
const app = express()
// Bodies of `/file` have no timeout; `/refused` responds before it has read a byte.
app.use(bodyTimeout(300, (path) => path !== '/form'))
app.post('/refused', (_, response) => void response.status(403).end('no'))
app.use(async (request, response) => {
  let bytes = 0
  try {
    for await (const piece of request as AsyncIterable<Buffer>) bytes += piece.length
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
  const trickle = setInterval(() => form.socket.write('x'), 50)
  expect(await form.response).toContain('HTTP/1.1 408 Request Timeout')
  clearInterval(trickle)
  // Started earlier, the file has been uploading for longer than a form may.
  file.socket.end('cd')
  expect(await file.response).toMatch(/200 OK.*\r\n4$/s)
})

it('times out the rest of an upload that has already got its response', async () => {
  const { response } = beginRequest('/refused', 1_000_000)
  expect(await response).toContain('403 Forbidden')
})

it('waits for a form that keeps the minimum rate', async () => {
  const large = beginRequest('/form', 1_000_004)
  large.socket.write(Buffer.alloc(1_000_000, 'x'))
  const small = beginRequest('/form', 4)
  expect(await small.response).toContain('408')
  // The bytes received so far extend the timeout by another half minute.
  large.socket.end('cd')
  expect(await large.response).toMatch(/200 OK.*\r\n1000004$/s)
})
