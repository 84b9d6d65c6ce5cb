import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { atFileEnd } from './file-end.ts'

export interface MailServer {
  url: string
  /** Every mail that was taken, the newest last. */
  received: ParsedMail[]
  /** From now on it takes no mail, or takes them again. */
  refuse(isRefusing: boolean): void
  /** Nobody listens on its port any more, until it comes back. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
}

/** A mail server to test against. */
export async function startMailServer(): Promise<MailServer> {
  const received: ParsedMail[] = []
  let isRefusing = false
  const start = async (port: number): Promise<SMTPServer> => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _, done) {
        simpleParser(stream).then((mail) => {
          if (!isRefusing) received.push(mail)
          done(isRefusing ? Object.assign(new Error('No room'), { responseCode: 452 }) : undefined)
        }, done)
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
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse(isOn) {
      isRefusing = isOn
    },
    goDown,
    async comeBack() {
      server = await start(port)
    },
  }
}
