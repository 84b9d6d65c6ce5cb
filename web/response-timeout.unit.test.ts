import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { pipeline } from 'node:stream/promises'
import express from 'express'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deferred } from '#tests/support/deferred.ts'
import { responseTimeout } from './response-timeout.ts'

let port = 0
const ended = deferred<string>()
const idle = { timedOut: deferred(), gate: deferred() }
const app = express()
app.use(responseTimeout(100))
// Sends more than the buffers of both ends hold.
app.get('/endless', async (_, response) => {
  async function* rows() {
    try {
      for (;;) yield 'x'.repeat(100_000)
    } finally {
      ended.resolve('ended')
    }
  }
  await pipeline(rows, response).catch(() => {})
})
// Sends its only chunk when the test opens the gate.
app.get('/idle', async (_, response) => {
  response.on('timeout', () => idle.timedOut.resolve())
  await idle.gate.promise
  response.end('late')
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

it('ends a response whose client has stopped reading, and its source', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  expect(await ended.promise).toBe('ended')
  socket.destroy()
})

it('waits for a source that has nothing to send yet', async () => {
  const response = fetch(`http://127.0.0.1:${port}/idle`)
  await idle.timedOut.promise
  idle.gate.resolve()
  expect(await (await response).text()).toBe('late')
})
