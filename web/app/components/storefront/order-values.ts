import type { TypedOrder } from '#core/orders/order-form-problems.rules.ts'

/** A form's fields as text by name; of repeated fields the last one, except for ticked issues, which are joined by commas. */
export function readFormValues(form: HTMLFormElement): Record<string, string> {
  const typed: Record<string, string> = {}
  const data = new FormData(form)
  for (const [name, value] of data) if (typeof value === 'string') typed[name] = value
  // If no issue is ticked, that is a value too: otherwise the last one would stay ticked in the draft.
  return form.elements.namedItem('backIssues') ? { ...typed, backIssues: data.getAll('backIssues').join() } : typed
}

/** Values that were typed or ticked before hydration, as opposed to initial values. */
export function valuesBeforeHydration(form: HTMLFormElement): Record<string, string> {
  const changed: Record<string, string> = {}
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
      if (field.checked === field.defaultChecked) continue
      if (field.name === 'backIssues') changed.backIssues = new FormData(form).getAll('backIssues').join()
      else if (field.type === 'checkbox') changed[field.name] = String(field.checked)
      // Only the ticked radio button: the one that was unticked by it has changed too.
      else if (field.checked) changed[field.name] = field.value
    } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      if (field.type !== 'hidden' && field.value !== field.defaultValue) changed[field.name] = field.value
    } else if (field instanceof HTMLSelectElement) {
      const initialOption = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0]
      if (field.value !== initialOption?.value) changed[field.name] = field.value
    }
  }
  return changed
}

/** Personal fields, as opposed to what is bought: cleared on log-out. */
const personal =
  /^(?:title|firstName|lastName|email|confirmEmail|mobile|giftEmail|giftMessage|isGift|isDeliveredToBilling|(?:billing|shipping)\..+)$/

export function withoutPersonalFields(typed: TypedOrder): Record<string, string> {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !personal.test(name)))
}
