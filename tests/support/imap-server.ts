import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { atFileEnd } from './file-end.ts'

interface StoredMessage {
  uid: number
  raw: Buffer
  isSeen: boolean
}

export interface ImapServer {
  url: string
  messages: StoredMessage[]
  /** Puts a message into the mailbox and returns its number. */
  add(raw: string | Buffer): StoredMessage
  /** Renumbers all messages, as after restoring the mailbox. */
  renumber(): void
  /** From now on this command disconnects instead of being executed. */
  breakAt(command: string | null): void
  /** How many bytes of messages were sent. */
  sentBytes(): number
}

/** A mailbox to test against: the part of IMAP (RFC 3501) needed by a program that reads one folder and marks messages as read. */
export async function startImapServer({ user = 'bounces', password = 'secret' } = {}): Promise<ImapServer> {
  const messages: StoredMessage[] = []
  const sockets = new Set<Socket>()
  let nextUid = 1
  let uidValidity = 7
  let sent = 0
  let brokenAt: string | null = null

  const inRange = (set: string) => {
    const last = messages.at(-1)?.uid ?? 0
    const parts = set.split(',').map((part) => part.split(':').map((end) => (end === '*' ? last : Number(end))))
    return messages.filter(({ uid }) =>
      parts.some(([from = 0, to = from]) => uid >= Math.min(from, to) && uid <= Math.max(from, to)),
    )
  }
  const sequence = (message: StoredMessage) => messages.indexOf(message) + 1

  function answer(socket: Socket, line: string): void {
    const [, tag = '', command = '', parameters = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? []
    const say = (text: string) => socket.write(`* ${text}\r\n`)
    const done = (text = 'OK done') => socket.write(`${tag} ${text}\r\n`)
    const name = command.toUpperCase()
    if (name === brokenAt) return void socket.destroy()
    switch (name) {
      case 'CAPABILITY':
        say('CAPABILITY IMAP4rev1 NAMESPACE')
        return void done()
      case 'LOGIN':
        return void done(
          parameters.replaceAll('"', '') === `${user} ${password}`
            ? 'OK in'
            : 'NO [AUTHENTICATIONFAILED] Wrong password',
        )
      case 'NAMESPACE':
        say('NAMESPACE (("" "/")) NIL NIL')
        return void done()
      case 'LIST':
      case 'LSUB':
        say(`${name} (\\HasNoChildren) "/" INBOX`)
        return void done()
      case 'SELECT':
      case 'EXAMINE': {
        if (!/INBOX"?$/.test(parameters)) return void done('NO [NONEXISTENT] There is no such folder')
        say('FLAGS (\\Seen \\Deleted)')
        say(`${messages.length} EXISTS`)
        say('0 RECENT')
        say('OK [PERMANENTFLAGS (\\Seen \\Deleted)] ok')
        say(`OK [UIDVALIDITY ${uidValidity}] ok`)
        say(`OK [UIDNEXT ${nextUid}] ok`)
        return void done('OK [READ-WRITE] open')
      }
      case 'UID SEARCH': {
        const [, set = '1:*'] = /UID (\S+)/i.exec(parameters) ?? []
        const uids = inRange(set).map(({ uid }) => uid)
        say(`SEARCH ${uids.join(' ')}`.trimEnd())
        return void done()
      }
      case 'UID FETCH': {
        const [set = ''] = parameters.split(' ')
        const [, limit] = /BODY\.PEEK\[\]<0\.(\d+)>/i.exec(parameters) ?? []
        for (const message of inRange(set)) {
          const piece = message.raw.subarray(0, limit === undefined ? undefined : Number(limit))
          sent += piece.length
          socket.write(`* ${sequence(message)} FETCH (UID ${message.uid} BODY[]<0> {${piece.length}}\r\n`)
          socket.write(piece)
          socket.write(')\r\n')
        }
        return void done()
      }
      case 'UID STORE': {
        const [set = ''] = parameters.split(' ')
        for (const message of inRange(set)) {
          message.isSeen ||= /\+FLAGS.*\\Seen/i.test(parameters)
          say(`${sequence(message)} FETCH (UID ${message.uid} FLAGS (${message.isSeen ? '\\Seen' : ''}))`)
        }
        return void done()
      }
      case 'LOGOUT':
        say('BYE')
        done()
        return void socket.end()
      default:
        return void done(name === 'NOOP' ? undefined : 'BAD not known here')
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.write('* OK [CAPABILITY IMAP4rev1 NAMESPACE] ready\r\n')
    createInterface({ input: socket }).on('line', (line) => answer(socket, line))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `imap://${user}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}/INBOX`,
    messages,
    add(raw) {
      const message = { uid: nextUid++, raw: Buffer.from(raw), isSeen: false }
      messages.push(message)
      return message
    },
    renumber() {
      uidValidity++
      nextUid = 1
      for (const message of messages) message.uid = nextUid++
    },
    breakAt(command) {
      brokenAt = command
    },
    sentBytes: () => sent,
  }
}
