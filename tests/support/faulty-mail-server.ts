import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { atFileEnd } from './file-end.ts'

/**
 * The faults of a mail server: sends nothing; sends its greeting at ten bytes a second and never ends it; hangs after the data; disconnects
 * during the data.
 */
export type MailServerFault = 'silent' | 'dribbles' | 'hangs after data' | 'closes in data'

/** A faulty mail server on its own port. Counts its connections. */
export async function startFaultyMailServer(fault: MailServerFault): Promise<{ url: string; connections(): number }> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (fault === 'silent') return
    if (fault === 'dribbles') {
      socket.write('220-w')
      const timer = setInterval(() => socket.write('e'), 100)
      socket.on('close', () => clearInterval(timer))
      return
    }
    converse(socket, fault)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections }
}

/** Accepts everything until the message arrives. */
function converse(socket: Socket, fault: MailServerFault): void {
  let isData = false
  socket.write('220 here\r\n')
  socket.on('data', (chunk) => {
    if (isData) {
      if (fault === 'closes in data') socket.destroy()
      return
    }
    for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
      isData = line === 'DATA'
      socket.write(isData ? '354 go on\r\n' : '250 fine\r\n')
    }
  })
}
