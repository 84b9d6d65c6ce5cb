import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** How the proxy treats connections, old and new, from now on. */
type Mode =
  /** Passes everything on. */
  | 'up'
  /** Resets a connection on the next request, like a broken network. */
  | 'cut'
  /** Answers the next request with PostgreSQL's shutdown message and closes, as `pg_terminate_backend` does. */
  | 'terminate'
  /** Lets a new connection become ready and ends it in the same packet. */
  | 'terminate while opening'

interface PostgresProxy {
  /** The database's address through the proxy. */
  url: string
  mode: Mode
  /** Connections that the proxy has ended on purpose. */
  ended: number
  stop(): Promise<void>
}

/** A TCP proxy in front of a PostgreSQL database, to drop connections at a chosen moment. Without TLS. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    let isOpen = false
    let buffered = Buffer.alloc(0)
    client.on('data', (bytes) => {
      if (isOpen && proxy.mode === 'cut') {
        proxy.ended++
        client.resetAndDestroy()
      } else if (isOpen && proxy.mode !== 'up') {
        proxy.ended++
        client.end(shutdownMessage)
        upstream.destroy()
      } else if (!upstream.destroyed) upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isOpen) {
        if (!client.destroyed) client.write(bytes)
        return
      }
      buffered = Buffer.concat([buffered, bytes])
      if (!hasReady(buffered)) {
        // Authentication is a dialogue: only what follows its last message can be delayed.
        if (proxy.mode !== 'terminate while opening' || !endsOpening(buffered)) {
          client.write(buffered)
          buffered = Buffer.alloc(0)
        }
        return
      }
      isOpen = true
      if (proxy.mode === 'terminate while opening') {
        proxy.ended++
        client.end(Buffer.concat([buffered, shutdownMessage]))
        upstream.destroy()
      } else client.write(buffered)
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const proxy: PostgresProxy = {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).toString(),
    mode: 'up',
    ended: 0,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}

/** The types of the complete messages in a chunk of the server's stream. */
function messageTypes(bytes: Buffer): string[] {
  const types: string[] = []
  for (let offset = 0; offset + 5 <= bytes.length; ) {
    const end = offset + 1 + bytes.readInt32BE(offset + 1)
    if (end > bytes.length) break
    types.push(String.fromCharCode(bytes[offset] ?? 0))
    offset = end
  }
  return types
}

const hasReady = (bytes: Buffer) => messageTypes(bytes).includes('Z')
/** Parameters and the backend's key follow the last authentication message. */
const endsOpening = (bytes: Buffer) => messageTypes(bytes).some((type) => type === 'S' || type === 'K')

const shutdownMessage = errorMessage({
  S: 'FATAL',
  V: 'FATAL',
  C: '57P01',
  M: 'terminating connection due to administrator command',
})

function errorMessage(fields: Record<string, string>): Buffer {
  const body = Buffer.concat([
    ...Object.entries(fields).map(([type, text]) => Buffer.from(`${type}${text}\0`)),
    Buffer.from('\0'),
  ])
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from('E'), length, body])
}
