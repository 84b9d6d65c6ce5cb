/** Which mailing file an address asks for. A download is one file: several zones are several downloads. */
export function mailingParams(request: Request): { on: string; layout: string; zones: string; split: false } {
  const params = new URL(request.url).searchParams
  return {
    on: params.get('on') ?? '',
    layout: params.get('layout') ?? '',
    zones: params.get('zone') ?? '',
    split: false,
  }
}
