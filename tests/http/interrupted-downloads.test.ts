import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePublication, makeUser } from '#tests/support/factories.ts'
import { copyReader, makeReader } from '#tests/support/readers.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

/** Far more bytes than the buffers of both ends of a connection hold. */
const readerCount = 150_000

let server: TestServer
let cookieHeader: string
let publicationId: number

beforeAll(async () => {
  server = await startTestServer({ seed: false })
  const { services } = server
  const email = 'leaves@example.test'
  const { id: publisherId } = await makeUser(services, { email })
  publicationId = (await makePublication(services, { publisherId })).id
  const fields = {
    fullName: 'Ann Penrose',
    lastName: 'Penrose',
    addressOne: '1 Quay Street '.repeat(5).trim(),
    city: 'Falmouth',
    postCode: 'TR11 3LH',
  }
  await copyReader(services, await makeReader(services, publicationId, fields), readerCount)
  cookieHeader = `Cookie: ${await staffCookie(services, email)}`
})
afterAll(() => server?.stop())

function request(path: string): Socket {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write([`GET ${path} HTTP/1.1`, 'Host: x', 'Accept-Encoding: identity', cookieHeader, '', ''].join('\r\n'))
  return socket
}

/** Requests a file and reads its first bytes, and then nothing more. */
async function beginDownload(path: string): Promise<Socket> {
  const socket = request(path)
  const [firstBytes] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  expect(firstBytes.toString()).toMatch(/^HTTP\/1.1 200 /)
  return socket
}

interface DownloadRow {
  state: string
  rows_sent: number
  problem: string | null
}
const downloadRow = async (token: string) => {
  const [row] = await server.services.db.query<DownloadRow>(
    `SELECT state, rows_sent, problem FROM downloads WHERE token = :token`,
    { token },
  )
  return row
}

it('a mailing file waits for a client that does not read, and is incomplete if the client leaves', async () => {
  const { db } = server.services
  const token = 'a'.repeat(32)
  const socket = await beginDownload(`/readers/${publicationId}/mailing-file.csv?on=2026-12-01&download=${token}`)
  // Meanwhile another file is downloaded whole: if the first did not wait for its client, it would be complete before this one.
  const otherFile = await fetch(`${server.url}/readers/${publicationId}/mailing-file.csv?on=2026-12-02`, {
    headers: { cookie: cookieHeader.replace('Cookie: ', '') },
  })
  expect((await otherFile.text()).split('\r\n').length).toBeGreaterThan(readerCount)
  expect((await downloadRow(token))?.state).toBe('running')
  socket.destroy()
  await expect.poll(async () => (await downloadRow(token))?.state, { timeout: 30_000 }).toBe('failed')
  expect((await downloadRow(token))?.problem).toBe('The browser or the connection interrupted the download.')
  const auditEntries = () =>
    db.query<{ detail: string }>(
      `SELECT CAST(facts AS TEXT) AS detail FROM audit_log WHERE action = 'make-mailing-file'`,
    )
  await expect
    .poll(async () => (await auditEntries()).map(({ detail }) => detail))
    .toEqual([expect.not.stringContaining('brokeOff'), expect.stringContaining('brokeOff')])
  expect(await db.query(`SELECT mailing_on FROM mailing_files`)).toEqual([{ mailing_on: '2026-12-02' }])
})

it('a download is marked as failed if its client leaves before the first byte', async () => {
  const token = 'b'.repeat(32)
  const socket = request(`/readers/${publicationId}/mailing-file.csv?on=2026-12-03&download=${token}`)
  await expect.poll(async () => (await downloadRow(token))?.state, { interval: 5, timeout: 30_000 }).toBe('running')
  socket.destroy()
  await expect.poll(async () => (await downloadRow(token))?.state, { timeout: 30_000 }).toBe('failed')
})
