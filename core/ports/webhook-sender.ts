/** What became of one request: an answer, or why there was none. */
export type WebhookAnswer = {
  /** How long it took, in milliseconds. */
  ms: number
} & (
  | {
      status: number
      /** The beginning of the answer. */
      answer: string
      /** How long the receiver asked to be left alone. */
      retryAfterSeconds?: number | undefined
    }
  | { problem: string }
)

/** Posts to the addresses that publishers enter, and to none inside the network. */
export interface WebhookSender {
  /** Whether http:// and addresses of this machine may be entered, for tests and development. */
  readonly allowsLoopback: boolean
  /** Never throws: what went wrong is an answer. */
  post(request: { url: string; headers: Record<string, string>; body: string }): Promise<WebhookAnswer>
  /** Lets go of the connections that are kept. */
  close(): void
}
