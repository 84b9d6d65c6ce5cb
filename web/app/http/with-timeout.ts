/** The promise's value, or `fallback` if it takes longer than the limit. */
export async function withTimeout<Value, Late>(
  value: Promise<Value>,
  timeoutMs: number,
  fallback: Late,
): Promise<Value | Late> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(fallback), timeoutMs)
  })
  try {
    return await Promise.race([value, timeout])
  } finally {
    clearTimeout(timer)
  }
}
