import { expect, it } from 'vitest';
import { amzDate, authorization, encoded, sha256 } from './sigv4.ts';

/** "Signature Calculations for the Authorization Header" of the S3 API reference. */
const S3 = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 's3',
};
const NO_BODY = sha256('');
const DATE = '20130524T000000Z';
const HOST = 'examplebucket.s3.amazonaws.com';

const signatureOf = (text: string): string => text.slice(text.indexOf('Signature=') + 'Signature='.length);

it.each([
  [
    'GET Object with a range',
    { method: 'GET', path: '/test.txt' },
    { range: 'bytes=0-9' },
    NO_BODY,
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT Object',
    { method: 'PUT', path: `/${encoded('test$file.text')}` },
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    sha256('Welcome to Amazon S3.'),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET Bucket Lifecycle',
    { method: 'GET', path: '/', query: { lifecycle: '' } },
    {},
    NO_BODY,
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'GET Bucket (List Objects)',
    { method: 'GET', path: '/', query: { 'max-keys': '2', prefix: 'J' } },
    {},
    NO_BODY,
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])("AWS's example %s has its signature", (_name, request, more, payloadHash, signature) => {
  const headers = { host: HOST, 'x-amz-content-sha256': payloadHash, 'x-amz-date': DATE, ...more };
  expect(signatureOf(authorization({ ...request, headers, payloadHash }, S3))).toBe(signature);
});

it("get-vanilla of AWS's test suite has its whole header", () => {
  const key = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
  };
  const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' };
  expect(authorization({ method: 'GET', path: '/', headers, payloadHash: NO_BODY }, key)).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
      'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  );
});

it('a date and a name are written as AWS wants them', () => {
  expect(amzDate(Date.UTC(2013, 4, 24))).toBe(DATE);
  expect(encoded("a b!'()*/ä~-_.")).toBe('a%20b%21%27%28%29%2A%2F%C3%A4~-_.');
});
