import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { atFileEnd } from './file-end.ts'

/** A negative SMTP reply: the status, and its text. */
type Refusal = readonly [status: number, text: string]

/** The server's replies; a missing one is positive. */
export interface MailRules {
  logIn?: Refusal
  sender?(address: string): Refusal | undefined
  recipient?(address: string): Refusal | undefined
  data?: Refusal
  /** For one email, by its header and body. */
  message?(raw: string): Refusal | undefined
  /** The delay of each reply. */
  delayMs?: number
}

/** A received email. */
interface ReceivedMail extends ParsedMail {
  /** Header and body as sent. */
  raw: string
  envelope: { from: string; to: string[] }
}

export interface MailServer {
  url: string
  /** Every accepted email, the newest last. */
  received: ReceivedMail[]
  /** The number of connections, in total and concurrent. */
  connections: { opened: number; open: number; max: number }
  /** Sets its replies from now on. */
  setReplies(rules: MailRules): void
  /** Whether it refuses all mail from now on. */
  refuse(isRefusing: boolean): void
  /** Stops listening on its port, until it is started again. */
  stop(): Promise<void>
  restart(): Promise<void>
}

/** A mail server to test against. With `user` it requires a log-in, which its URL contains; it accepts any log-in unless `logIn` refuses. */
export async function startMailServer({ user }: { user?: string } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const connections = { opened: 0, open: 0, max: 0 }
  let rules: MailRules = {}
  const delayed = async <T>(answer: () => T): Promise<T> => {
    if (rules.delayMs) await wait(rules.delayMs)
    return answer()
  }
  const problem = (refusal: Refusal | undefined) =>
    refusal && Object.assign(new Error(refusal[1]), { responseCode: refusal[0] })
  const start = async (port: number): Promise<SMTPServer> => {
    const server = new SMTPServer({
      authOptional: user === undefined,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      // An idle keep-alive connection does not keep it from stopping.
      closeTimeout: 20,
      onConnect(_, done) {
        connections.opened++
        connections.max = Math.max(connections.max, ++connections.open)
        done()
      },
      onClose() {
        connections.open--
      },
      onAuth({ username }, _, done) {
        const refusal = problem(rules.logIn)
        done(refusal ?? null, { user: username })
      },
      onMailFrom({ address }, _, done) {
        void delayed(() => done(problem(rules.sender?.(address))))
      },
      onRcptTo({ address }, _, done) {
        void delayed(() => done(problem(rules.recipient?.(address))))
      },
      onData(stream, { envelope }, done) {
        const receive = async () => {
          const pieces: Buffer[] = []
          for await (const piece of stream) pieces.push(piece as Buffer)
          const raw = Buffer.concat(pieces)
          const refusal = problem(rules.data ?? rules.message?.(raw.toString('utf8')))
          if (!refusal) {
            const from = envelope.mailFrom ? envelope.mailFrom.address : ''
            const to = envelope.rcptTo.map(({ address }) => address)
            received.push({ ...(await simpleParser(raw)), raw: raw.toString('utf8'), envelope: { from, to } })
          }
          await delayed(() => done(refusal))
        }
        receive().catch(done)
      },
    })
    // A client that is killed while sending disconnects.
    server.on('error', () => {})
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    return server
  }
  let server = await start(0)
  const { port } = server.server.address() as AddressInfo
  const stop = () => new Promise<void>((resolve) => server.close(resolve))
  atFileEnd(stop)
  return {
    url: `smtp://${user ? `${user}:secret@` : ''}127.0.0.1:${port}`,
    received,
    connections,
    setReplies(replies) {
      rules = replies
    },
    refuse(isRefusing) {
      rules = isRefusing ? { data: [452, 'No room'] } : {}
    },
    stop,
    async restart() {
      server = await start(port)
    },
  }
}
