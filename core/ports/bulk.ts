export type Dialect = 'sqlite' | 'postgres'

/** A separate SQLite handle. Statements run in the order they are given, so that the next one may be submitted while one runs. */
export interface SqliteConnection {
  /** Runs one statement; returns how many rows it touched and the last row id it created. */
  run(sql: string, values?: unknown[]): Promise<{ changes: number; lastId: number }>
  all<Row>(sql: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** A COPY ... FROM STDIN that is in progress on a connection, which accepts no other statement until `end`. */
export interface OpenCopy {
  /** Waits while the server is busy (backpressure). Throws the server's error for an earlier chunk. */
  write(text: string | Uint8Array): Promise<void>
  end(): Promise<void>
  /** Aborts the COPY; the connection is unusable afterwards. */
  abort(reason: Error): Promise<void>
}

/** A PostgreSQL connection borrowed from the pool for bulk operations. */
export interface PostgresConnection {
  query<Row extends object = object>(sql: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>
  /** Begins a COPY ... FROM STDIN. */
  copyIn(sql: string): OpenCopy
  /**
   * A COPY ... TO STDOUT in text format as blocks of whole rows, each row with its line end. `latin1` passes UTF-8 through without decoding
   * it, for callers that only look at ASCII. A consumer that stops early ends the COPY and closes the connection.
   */
  copyOut(sql: string, encoding: 'latin1' | 'utf8'): AsyncIterable<string>
  /** Rolls back an open transaction. A connection that stopped in the middle of a COPY is no longer usable and is closed. */
  release(isUsable?: boolean): Promise<void>
}

/** One connection for SQL with temporary tables, which exist until it is closed. The same statements run on both engines; `?` marks a value. */
export interface BulkConnection {
  readonly dialect: Dialect
  /** Number of rows a statement touched. */
  run(sql: string, values?: readonly unknown[]): Promise<number>
  all<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** Writes encoded rows into the connection's staging table: an INSERT on SQLite, COPY lines on PostgreSQL, as UTF-8. */
  stage(text: Uint8Array): Promise<void>
  /** Completes what `stage` has in progress; call it before any other statement. */
  finishStaging(): Promise<void>
  /** Runs the work in a transaction that writes. On SQLite it waits for its turn among the writers of this process. */
  write<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Why a database failed in the middle of bulk work, and what to do about it. */
export interface StoreProblem {
  what: string
  hint: string
  /** Requests get a separate message for it, which does not say what is committed. */
  hasRequestMessage?: true
}

/** The batch sizes of bulk work, in rows. */
export interface BulkSizes {
  /** Readers that one commit adds. */
  added: number
  /** Readers that one commit changes or undoes. */
  changed: number
  /** From this many rows on, indexes are dropped if rebuilding them costs less than updating them. */
  big: number
}

/** The bulk paths of a database: separate connections, in addition to the pool that requests share. */
export interface BulkPorts {
  readonly sizes: Readonly<BulkSizes>
  /** Opens the database file a second time. `pragmas` are added to the usual ones. */
  sqlite(pragmas?: string): Promise<SqliteConnection>
  postgres(): Promise<PostgresConnection>
  /**
   * Passes blocks of text on, and reads their source to its end without waiting for the consumer, so that a slow download holds no connection.
   * Blocks that were not consumed yet wait in a temporary file.
   */
  spool(blocks: AsyncIterable<string>, encoding: 'latin1' | 'utf8'): AsyncGenerator<string>
  /** Opens a connection for work in temporary tables; `stagingTable` is the one that `stage` fills. */
  connect(stagingTable?: string): Promise<BulkConnection>
  /** Runs a write on a separate SQLite handle when it is its turn among the transactions of this process. */
  withWriteLock<T>(work: () => Promise<T>): Promise<T>
  /** A full disk, a lost connection and the like as text; null for any other error. */
  problemOf(error: unknown): StoreProblem | null
}
