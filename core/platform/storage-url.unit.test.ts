import { describe, expect, it } from 'vitest'
import { readStorageUrl } from './storage-url.ts'

const keys = { AWS_ACCESS_KEY_ID: 'AKIATESTTESTTEST', AWS_SECRET_ACCESS_KEY: 'a-secret-that-nobody-reads' }

describe('STORAGE_URL', () => {
  it('names bucket, prefix, endpoint and region; the keys come from elsewhere', () => {
    expect(readStorageUrl('s3://magazines/a/b/?endpoint=https://s3.example.com&region=eu-west-2', keys)).toEqual({
      bucket: 'magazines',
      prefix: 'a/b/',
      endpoint: 'https://s3.example.com',
      region: 'eu-west-2',
      credentials: { accessKeyId: keys.AWS_ACCESS_KEY_ID, secretAccessKey: keys.AWS_SECRET_ACCESS_KEY },
    })
    expect(readStorageUrl('s3://magazines', { AWS_REGION: 'eu-west-1' })).toMatchObject({
      prefix: '',
      endpoint: undefined,
      region: 'eu-west-1',
      credentials: null,
    })
  })

  it.each([
    ['https://magazines', /must begin with s3/],
    ['s3://', /must/],
    ['s3://key:secret@magazines?region=x', /must not contain keys/],
    ['s3://magazines', /no region/],
    ['s3://magazines?region=x&endpoint=example', /not a web address/],
    ['s3://magazines?region=x&acl=public', /does not know "acl"/],
  ])('%s is refused, and its value is not repeated', (url, message) => {
    expect(() => readStorageUrl(url, {})).toThrow(message)
    expect(() => readStorageUrl(url, {})).not.toThrow(/secret@/)
  })

  it('requires both keys or none', () => {
    expect(() => readStorageUrl('s3://magazines?region=x', { AWS_ACCESS_KEY_ID: 'x' })).toThrow(
      /only one of AWS_ACCESS_KEY_ID/,
    )
  })
})
