/** A line of a bench's report. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Milliseconds in as many digits as mean something. */
export const shown = (ms: number) => (ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en-GB'))
