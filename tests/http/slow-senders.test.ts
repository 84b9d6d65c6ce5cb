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
let publicationIds: number[]

beforeAll(async () => {
  server = await startTestServer({ seed: false, worker: true, env: { REQUEST_SECONDS: '1' } })
  const { services } = server
  const email = 'slow@example.test'
  const { id: publisherId } = await makeUser(services, { email })
  publicationIds = [
    (await makePublication(services, { publisherId })).id,
    (await makePublication(services, { publisherId })).id,
  ]
  const ctx = contextFor(services, visitor, { entryPoint: 'test' })
  cookie = `Cookie: ${await staffCookie(services, email)}`
  token = `Authorization: Bearer ${(await issueApiToken(ctx, { email, password: 'masthead' })).token}`
})
afterAll(() => server?.stop())

/** Opens a connection and sends these lines. `received` is everything that came back, once it is closed. */
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

const headersOf = (path: string, type: string, length: number) => [
  `POST ${path} HTTP/1.1`,
  'Host: x',
  'Connection: close',
  `Content-Type: ${type}`,
  `Content-Length: ${length}`,
]
const formPart = (name: string, parameters = '') =>
  `--X\r\nContent-Disposition: form-data; name="${name}"${parameters}\r\n\r\n`
const startOfFile = `${formPart('file', '; filename="a.csv"')}UniqueReference,FullName\nU1,`
const endOfFile = 'Ann\r\n--X--\r\n'
const multipart = 'multipart/form-data; boundary=X'

it('slow headers and forms are cut off, while files that were begun before them arrive', async () => {
  const [pageTitle, apiTitle] = publicationIds
  const length = startOfFile.length + endOfFile.length
  const page = send(...headersOf(`/uploadadditional/${pageTitle}`, multipart, length), cookie, '', startOfFile)
  const field = `${formPart('publicationID')}${apiTitle}\r\n`
  const apiCall = send(
    ...headersOf('/api/subscriber/uploadadditional', multipart, field.length + length),
    token,
    '',
    field + startOfFile,
  )
  const form = send(...headersOf('/login', 'application/x-www-form-urlencoded', 1000), '', 'email=')
  const trickle = setInterval(() => form.socket.write('a'), 100)
  const unfinished = send('GET /login HTTP/1.1', 'Host: x', 'X-Slow: ')
  expect(await form.received).toMatch(/^HTTP\/1.1 408 /)
  clearInterval(trickle)
  expect(await unfinished.received).toMatch(/^HTTP\/1.1 408 /)
  page.socket.write(endOfFile)
  apiCall.socket.write(endOfFile)
  expect(await page.received).toMatch(/^HTTP\/1.1 302 .*location: \/uploadadditional\/\d+\?upload=/is)
  expect(await apiCall.received).toMatch(/^HTTP\/1.1 200 .*"added":1/s)
})

it('a client cannot hold a connection with a file for a page that it may not use', async () => {
  const { received } = send(
    ...headersOf(`/uploadadditional/${publicationIds[0]}`, multipart, 1_000_000),
    '',
    startOfFile,
  )
  expect(await received).toMatch(/^HTTP\/1.1 302 .*location: \/login/is)
})
