type Values = Record<string, string>

/**
 * The sent values of a form, where a field that is as it was opened has the value that is stored now: what somebody else has changed in another field is
 * kept (three-way merge). The form sends the values it was opened with as `opened`, in JSON; one from before a deployment does not, and counts as it is.
 */
export function mergedWithStored({ opened, ...sent }: Values, stored: Values): Values {
  const base = openedValues(opened)
  if (!base) return sent
  const merged: Values = { ...sent }
  for (const name of new Set([...Object.keys(base), ...Object.keys(stored)])) {
    if (!isSameText(sent[name], base[name])) continue
    // An unticked checkbox is not sent.
    if (stored[name] === undefined) delete merged[name]
    else merged[name] = stored[name]
  }
  return merged
}

/** Whether a field is as it was. A textarea posts each line break as two characters. */
function isSameText(sent = '', opened = ''): boolean {
  return sent.replaceAll('\r\n', '\n') === opened.replaceAll('\r\n', '\n')
}

/** The values that a form was opened with; undefined if it did not send them. */
export function openedValues(opened: string | undefined): Values | undefined {
  try {
    const values: unknown = JSON.parse(opened ?? '')
    return typeof values === 'object' && values !== null ? (values as Values) : undefined
  } catch {
    return undefined
  }
}
