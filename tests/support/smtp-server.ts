import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { atFileEnd } from './file-end.ts'

/** An answer that is not yes: the status, and the words after it. */
type Refusal = readonly [status: number, words: string]

/** How the server answers; what is not said is yes. */
export interface MailRules {
  logIn?: Refusal
  sender?(address: string): Refusal | undefined
  recipient?(address: string): Refusal | undefined
  data?: Refusal
  /** Of one mail, by its header and body. */
  message?(raw: string): Refusal | undefined
  /** How late each answer comes. */
  delayMs?: number
}

/** A mail as it came. */
interface ReceivedMail extends ParsedMail {
  /** Header and body as they were sent. */
  raw: string
  envelope: { from: string; to: string[] }
}

export interface MailServer {
  url: string
  /** Every mail that was taken, the newest last. */
  received: ReceivedMail[]
  /** How many connections it was asked for, and how many there were at one time. */
  connections: { opened: number; open: number; max: number }
  /** From now on it answers so. */
  answer(rules: MailRules): void
  /** From now on it takes no mail, or takes them again. */
  refuse(isRefusing: boolean): void
  /** Nobody listens on its port any more, until it comes back. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
}

/** A mail server to test against. With `user`, it wants this log-in. */
export async function startMailServer({ user }: { user?: string } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const connections = { opened: 0, open: 0, max: 0 }
  let rules: MailRules = {}
  const late = async <T>(answer: () => T): Promise<T> => {
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
      // Whoever keeps a connection open for the next mail does not keep it from going down.
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
        void late(() => done(problem(rules.sender?.(address))))
      },
      onRcptTo({ address }, _, done) {
        void late(() => done(problem(rules.recipient?.(address))))
      },
      onData(stream, { envelope }, done) {
        const take = async () => {
          const pieces: Buffer[] = []
          for await (const piece of stream) pieces.push(piece as Buffer)
          const raw = Buffer.concat(pieces)
          const refusal = problem(rules.data ?? rules.message?.(raw.toString('utf8')))
          if (!refusal) {
            const from = envelope.mailFrom ? envelope.mailFrom.address : ''
            const to = envelope.rcptTo.map(({ address }) => address)
            received.push({ ...(await simpleParser(raw)), raw: raw.toString('utf8'), envelope: { from, to } })
          }
          await late(() => done(refusal))
        }
        take().catch(done)
      },
    })
    // Whoever is killed while it sends breaks off.
    server.on('error', () => {})
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    return server
  }
  let server = await start(0)
  const { port } = server.server.address() as AddressInfo
  const goDown = () => new Promise<void>((resolve) => server.close(resolve))
  atFileEnd(goDown)
  return {
    url: `smtp://${user ? `${user}:secret@` : ''}127.0.0.1:${port}`,
    received,
    connections,
    answer(given) {
      rules = given
    },
    refuse(isOn) {
      rules = isOn ? { data: [452, 'No room'] } : {}
    },
    goDown,
    async comeBack() {
      server = await start(port)
    },
  }
}
