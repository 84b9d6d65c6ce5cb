/** What a form or a fetcher sends as its intent when it only asks who looks like the reader that is typed. */
export const similarIntent = 'similar'

/** Whether what was sent only asked something: nothing has changed, and nothing needs to be loaded anew. */
export function onlyAsks(formData: FormData | undefined): boolean {
  return formData?.get('intent') === similarIntent
}
