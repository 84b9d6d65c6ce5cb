/** The processes that work on this installation, by their names: who holds a lease, and whether that one is still there. */
export interface Processes {
  /** The name of this process: unique, also over time. */
  readonly own: string
  /** The name of this machine: files of other machines are not accessible here. */
  readonly host: string
  /** True only for a process of this machine that has ended; one of another machine is assumed alive until its lease expires. */
  hasEnded(name: string): boolean
}
