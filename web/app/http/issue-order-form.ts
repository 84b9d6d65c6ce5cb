import { keptValues, orderInput } from './order-form.ts'

/** The form of an order of back issues: its fields as text, and the ids of the issues that are ticked. */
export interface IssueOrderForm {
  values: Record<string, string>
  chosen: string[]
}

export async function readIssueOrder(request: Request): Promise<IssueOrderForm> {
  const form = await request.formData()
  const values: Record<string, string> = {}
  for (const [name, value] of form) if (typeof value === 'string' && name !== 'backIssues') values[name] = value
  return { values, chosen: form.getAll('backIssues').filter((id) => typeof id === 'string') }
}

/** The form as the order's own shape. The total is the one that the page showed when it was sent. */
export function issueOrderInput(urlKey: string, { values, chosen }: IssueOrderForm): Record<string, unknown> {
  return { ...orderInput(urlKey, values), backIssues: chosen, total: values.total }
}

/** What a page that comes back shows again. */
export function keptIssueOrder({ values, chosen }: IssueOrderForm): IssueOrderForm {
  return { values: keptValues(values), chosen }
}
