import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { atFileEnd } from './file-end.ts'

/** Starts a local DNS server that knows these TXT records and nothing else. Returns its address. */
export async function startDnsServer(records: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, records), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atFileEnd(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return `127.0.0.1:${socket.address().port}`
}

/** Starts a local DNS server that receives queries and never answers. Returns its address. */
export async function startSilentDnsServer(): Promise<string> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atFileEnd(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return `127.0.0.1:${socket.address().port}`
}

/** A DNS response (RFC 1035): header, a copy of the question, and a TXT record for each text. */
function answerTo(query: Buffer, records: Readonly<Record<string, readonly string[]>>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const question = query.subarray(12, at + 5)
  const texts = records[labels.join('.').toLowerCase()]
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  // QR, RD and RA are set; response code 3: no such name.
  header.writeUInt16BE(0x8180 | (texts ? 0 : 3), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(texts?.length ?? 0, 6)
  return Buffer.concat([header, question, ...(texts ?? []).map(txtRecord)])
}

function txtRecord(text: string): Buffer {
  const pieces = text.match(/[\s\S]{1,255}/g) ?? ['']
  const data = Buffer.concat(
    pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece, 'latin1')])),
  )
  // A pointer to the name in the question; type TXT, class IN, TTL one minute, and the length, written below.
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
