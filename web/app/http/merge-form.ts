import { isDeepStrictEqual } from 'node:util'
import { isAppError } from '#core/kernel/errors.ts'

type Values = Record<string, string>

/**
 * Saves the values that a form sent, merged with what is stored (`mergedWithStored`). `read` returns the stored record, `valuesOf` its values as the form
 * shows them, and `save` passes it to the use case as `basedOn`. If somebody else saves the record after it was read here, the use case refuses the save
 * with a conflict: the form is then merged with the newer record, once. Where there is no record, the values are saved as they were sent.
 */
export async function saveMerged<Stored, Saved>(
  sent: Values,
  {
    read,
    valuesOf,
    save,
  }: {
    read(): Promise<Stored | undefined>
    valuesOf(stored: Stored): Values
    save(values: Values, basedOn: Stored | undefined): Promise<Saved>
  },
): Promise<Saved> {
  const shown = (record: Stored | undefined) => record && valuesOf(record)
  const attempt = (record: Stored | undefined) => {
    const stored = shown(record)
    return save(stored ? mergedWithStored(sent, stored) : sent, record)
  }
  const record = await read()
  try {
    return await attempt(record)
  } catch (error) {
    if (record === undefined || !isAppError(error) || error.kind !== 'conflict') throw error
    const current = await read()
    // Refused for another reason.
    if (isDeepStrictEqual(shown(current), shown(record))) throw error
    return attempt(current)
  }
}

/**
 * The sent values of a form, where a field that is as it was opened has the value that is stored now: what somebody else has changed in another field is
 * kept (three-way merge). The form sends the values it was opened with as `opened`, in JSON; one from before a deployment does not, and counts as it is.
 */
function mergedWithStored({ opened, ...sent }: Values, stored: Values): Values {
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
