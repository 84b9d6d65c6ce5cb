import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { atFileEnd } from './file-end.ts'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface WebhookReceiver {
  url: string
  received: Received[]
  /** Its response to a request; 204 by default. */
  answer: (response: ServerResponse, request: Received) => void
}

/** An integrator's program: accepts whatever is posted to it. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const receiver: WebhookReceiver = { url: '', received: [], answer: (response) => response.writeHead(204).end() }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const message = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString('utf8') }
    receiver.received.push(message)
    receiver.answer(response, message)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  atFileEnd(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return receiver
}

export interface Payload {
  type: string
  version: number
  timestamp: string
  data: Record<string, unknown>
}

/** The body of a request, verified by the library of Standard Webhooks: throws if it was not signed with this secret. */
export function verified({ body, headers }: Received, secret: string): Payload {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Payload
}
