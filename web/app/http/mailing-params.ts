/** The parameters of a mailing file in a URL. A download is one file, so it is never split by zone. */
export function mailingParams(request: Request): { on: string; layout: string; zones: string; split: false } {
  const params = new URL(request.url).searchParams
  return {
    on: params.get('on') ?? '',
    layout: params.get('layout') ?? '',
    zones: params.get('zone') ?? '',
    split: false,
  }
}
