import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { contextFor } from '#core/context.ts'
import { issueApiToken } from '#core/users/api-token.ts'
import { makePublication, makeUser } from '#tests/support/factories.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

/** Slow clients on the sockets of the built server, which allows them a second. */
let server: TestServer
let cookie: string
let token: string
let titles: number[]

beforeAll(async () => {
  server = await startTestServer({ seed: false, worker: true, env: { REQUEST_SECONDS: '1' } })
  const { services } = server
  const email = 'slow@example.test'
  const { id: publisherId } = await makeUser(services, { email })
  titles = [
    (await makePublication(services, { publisherId })).id,
    (await makePublication(services, { publisherId })).id,
  ]
  const ctx = contextFor(services, visitor, { entryPoint: 'test' })
  cookie = `Cookie: ${await staffCookie(services, email)}`
  token = `Authorization: Bearer ${(await issueApiToken(ctx, { email, password: 'masthead' })).token}`
})
afterAll(() => server?.stop())

/** A connection that has sent this much. `received` is everything it received, once it is closed. */
function send(...lines: string[]): { socket: Socket; received: Promise<string> } {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(lines.join('\r\n'))
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  // An aborted connection also emits an error.
  socket.on('error', () => {})
  return { socket, received: once(socket, 'close').then(() => text) }
}

const head = (path: string, type: string, length: number) => [
  `POST ${path} HTTP/1.1`,
  'Host: x',
  'Connection: close',
  `Content-Type: ${type}`,
  `Content-Length: ${length}`,
]
const part = (name: string, more = '') => `--X\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
const file = `${part('file', '; filename="a.csv"')}UniqueReference,FullName\nU1,`
const rest = 'Ann\r\n--X--\r\n'
const multipart = 'multipart/form-data; boundary=X'

it('slow headers and forms are cut off, while files begun before them arrive', async () => {
  const [mine, other] = titles
  const length = file.length + rest.length
  const page = send(...head(`/uploadadditional/${mine}`, multipart, length), cookie, '', file)
  const field = `${part('publicationID')}${other}\r\n`
  const call = send(
    ...head('/api/subscriber/uploadadditional', multipart, field.length + length),
    token,
    '',
    field + file,
  )
  const form = send(...head('/login', 'application/x-www-form-urlencoded', 1000), '', 'email=')
  const trickle = setInterval(() => form.socket.write('a'), 100)
  const unfinished = send('GET /login HTTP/1.1', 'Host: x', 'X-Slow: ')
  expect(await form.received).toMatch(/^HTTP\/1.1 408 /)
  clearInterval(trickle)
  expect(await unfinished.received).toMatch(/^HTTP\/1.1 408 /)
  page.socket.write(rest)
  call.socket.write(rest)
  expect(await page.received).toMatch(/^HTTP\/1.1 302 .*location: \/uploadadditional\/\d+\?upload=/is)
  expect(await call.received).toMatch(/^HTTP\/1.1 200 .*"added":1/s)
})

it('nobody holds a connection with a file for a page they may not use', async () => {
  const { received } = send(...head(`/uploadadditional/${titles[0]}`, multipart, 1_000_000), '', file)
  expect(await received).toMatch(/^HTTP\/1.1 302 .*location: \/login/is)
})
