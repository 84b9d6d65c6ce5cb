/** The outcome of one request: a response, or why there was none. */
export type WebhookResponse = {
  /** How long it took, in milliseconds. */
  ms: number
} & (
  | {
      status: number
      /** The beginning of the response. */
      answer: string
      /** The receiver's Retry-After. */
      retryAfterSeconds?: number | undefined
    }
  | { problem: string }
)

/** Posts to the addresses that publishers enter, but never to addresses inside our own network. */
export interface WebhookSender {
  /** Whether http:// and addresses of this machine may be entered, for tests and development. */
  readonly allowsLoopback: boolean
  /** Never throws: a failure is part of the outcome. */
  post(request: { url: string; headers: Record<string, string>; body: string }): Promise<WebhookResponse>
  /** Closes the kept-alive connections. */
  close(): void
}
