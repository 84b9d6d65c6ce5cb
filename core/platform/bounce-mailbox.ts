import type { ImapFlow, ImapFlowOptions } from 'imapflow'
import type { BounceMailbox } from '#core/ports/mail-reports.ts'

/** The number of messages held in memory at a time. */
const batchSize = 20
/** The maximum number of bytes fetched per message: what is read from a bounce report is near its beginning. */
const messageBytes = 512 * 1024
/** The time limit of one run; the next continues where it ended. */
const runMs = 4 * 60_000

export interface BounceMailboxAddress {
  url: string
  timeoutMs?: number
}

/** A mailbox at `imaps://user:password@host:993/INBOX`. Connects for each reading, with timeouts. */
export function openBounceMailbox({ url, timeoutMs = 30_000 }: BounceMailboxAddress): BounceMailbox {
  const { options, folder, name } = readAddress(url)
  return {
    name,
    async read(after, take) {
      const client = await createClient(options, timeoutMs)
      const endsAt = Date.now() + runMs
      try {
        await client.connect()
        const mailbox = await client.mailboxOpen(folder)
        const uidValidity = String(mailbox.uidValidity)
        const first = after?.uidValidity === uidValidity ? after.lastUid + 1 : 1
        if (mailbox.exists === 0 || mailbox.uidNext <= first) return
        // `n:*` names the last message even where its number is lower.
        const matches = (await client.search({ uid: `${first}:*` }, { uid: true })) || []
        const uids = matches.filter((uid) => uid >= first).sort((a, b) => a - b)
        for (let start = 0; start < uids.length && Date.now() < endsAt; start += batchSize) {
          const batch = uids.slice(start, start + batchSize)
          const messages = []
          // Peeks: a message that is not ours stays unread.
          for await (const { uid, source } of client.fetch(
            batch.join(','),
            { uid: true, source: { start: 0, maxLength: messageBytes } },
            { uid: true },
          ))
            messages.push({ uid, raw: source ?? new Uint8Array() })
          const readUids = await take(messages, { uidValidity, lastUid: batch.at(-1) as number })
          if (readUids === null) return
          if (readUids.length > 0) await client.messageFlagsAdd(readUids.join(','), ['\\Seen'], { uid: true })
        }
      } finally {
        await disconnect(client)
      }
    },
  }
}

/** Logs in and opens the folder; returns how many messages are in it. For `doctor`. */
export async function tryBounceMailbox({ url, timeoutMs = 10_000 }: BounceMailboxAddress): Promise<number> {
  const { options, folder } = readAddress(url)
  const client = await createClient(options, timeoutMs)
  try {
    await client.connect()
    return (await client.mailboxOpen(folder, { readOnly: true })).exists
  } finally {
    await disconnect(client)
  }
}

/** The key of a mailbox in its table: its address without the password. */
export function bounceMailboxName(url: string): string {
  return readAddress(url).name
}

function readAddress(url: string): { options: ImapFlowOptions; folder: string; name: string } {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const isSecure = protocol === 'imaps:'
  const user = decodeURIComponent(username)
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX'
  const server = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isSecure ? 993 : 143) }
  return {
    folder,
    name: `${user}@${server.host}:${server.port}/${folder}`.slice(0, 300),
    options: {
      ...server,
      secure: isSecure,
      auth: { user, pass: decodeURIComponent(password) },
    },
  }
}

/** Loads the library on the first connection: loaded at start-up, it would slow the start of every process, including the command line. */
async function createClient(options: ImapFlowOptions, timeoutMs: number): Promise<ImapFlow> {
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    ...options,
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  // Failures are thrown by the pending call; without a listener the event would end the process.
  client.on('error', () => {})
  return client
}

async function disconnect(client: ImapFlow): Promise<void> {
  if (client.usable) await client.logout().catch(() => {})
  client.close()
}
