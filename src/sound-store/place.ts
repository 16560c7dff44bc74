// SOUND_STORE as a value, and the places that rows name.
import { isAbsolute } from 'node:path';

/** The place of every shared folder: nodes may have it under different paths. */
export const FOLDER_PLACE = 'folder';

export interface BucketPlace {
  readonly kind: 's3';
  readonly bucket: string;
  /** Without slashes around it; may be empty. */
  readonly prefix: string;
}

export type StorePlace = { readonly kind: 'folder'; readonly folder: string } | BucketPlace;

export const SOUND_STORE_FORM = 'an absolute path of a folder, or s3://bucket/prefix';

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]{0,200}))?$/;

/** Null if it cannot be used. */
export function readStorePlace(text: string): StorePlace | null {
  if (isAbsolute(text)) return { kind: 'folder', folder: text };
  return readBucketPlace(text);
}

export function readBucketPlace(text: string): BucketPlace | null {
  const [, bucket, prefix = ''] = BUCKET.exec(text) ?? [];
  if (bucket === undefined) return null;
  const parts = prefix.split('/').filter((part) => part !== '');
  return parts.some((part) => /^\.+$/.test(part)) ? null : { kind: 's3', bucket, prefix: parts.join('/') };
}

export const bucketPlace = ({ bucket, prefix }: BucketPlace): string =>
  prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
