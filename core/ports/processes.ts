/** The processes that work on this installation, by name: which one holds a lease, and whether it is still running. */
export interface Processes {
  /** The name of this process: unique, and never reused. */
  readonly self: string
  /** The name of this machine: files of other machines are not accessible here. */
  readonly host: string
  /** True only for a process of this machine that has ended; one of another machine is assumed alive until its lease expires. */
  hasEnded(name: string): boolean
}
