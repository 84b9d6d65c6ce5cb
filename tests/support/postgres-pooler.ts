import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** How long a client keeps a connection to the server: until it disconnects, or for one transaction. */
type PoolMode = 'session' | 'transaction'

/** A connection to the server, and the client that it is lent to. */
interface ServerConnection {
  socket: Socket
  client: Socket | null
}

/**
 * A connection pooler in front of a PostgreSQL database, such as PgBouncer. Each client brings a connection to the server, which authenticates it; in
 * transaction mode, its transactions then run on whichever connection was used last. Without TLS.
 */
export async function startPostgresPooler(databaseUrl: string, mode: PoolMode) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const idle: ServerConnection[] = []
  const lent = new Map<Socket, ServerConnection>()
  const lend = (connection: ServerConnection, client: Socket) => {
    connection.client = client
    lent.set(client, connection)
    return connection
  }
  const server = createServer((client) => {
    const connection = { socket: connect(Number(target.port || 5432), target.hostname), client }
    lend(connection, client)
    for (const socket of [client, connection.socket]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    connection.socket.on('data', (bytes) => giveBack(connection, bytes))
    client.on('data', (bytes) => {
      const current = lent.get(client) ?? idle.pop()
      if (current === undefined) client.destroy()
      else if (lent.has(client) || bytes[0] !== terminate) lend(current, client).socket.write(bytes)
      else idle.push(current)
    })
    client.on('close', () => {
      lent.get(client)?.socket.destroy()
      lent.delete(client)
    })
  })
  const giveBack = (connection: ServerConnection, bytes: Buffer) => {
    const { client } = connection
    if (client === null) return
    client.write(bytes)
    if (mode === 'session' || !endsTransaction(bytes)) return
    connection.client = null
    lent.delete(client)
    idle.push(connection)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** The database's address through the pooler. */
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).toString(),
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const terminate = 'X'.charCodeAt(0)
const readyOutsideTransaction = Buffer.from('Z\0\0\0\x05I')

/** Whether the server has answered everything and is in no transaction. */
function endsTransaction(bytes: Buffer): boolean {
  return bytes.subarray(-readyOutsideTransaction.length).equals(readyOutsideTransaction)
}
