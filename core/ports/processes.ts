/** The processes that work on this installation, by their names: who holds a lease, and whether that one is still there. */
export interface Processes {
  /** The name of this process: no other one has or had it. */
  readonly own: string
  /** The name of this machine: files of other ones are not to be had here. */
  readonly host: string
  /** True only for a process of this machine that has ended; one of another machine is believed until its lease runs out. */
  isGone(name: string): boolean
}
