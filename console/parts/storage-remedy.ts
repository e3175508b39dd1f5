/** CORS rules that let scripts of the page read and write the storage. */
export interface StorageRemedy {
  readonly command: string
  /** Rules of the bucket, for the storage's own tools. */
  readonly rules: string
}

/** @param origin of the page */
export function remedyFor(origin: string): StorageRemedy {
  const rule = {
    AllowedOrigins: [origin],
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag', 'Content-Range', 'Content-Length'],
    MaxAgeSeconds: 7_200,
  }
  return {
    command: `kubectl -n NAMESPACE exec deploy/RELEASE-api-server -- node main.ts admin storage cors --origin ${origin}`,
    rules: JSON.stringify({ CORSRules: [rule] }, null, 2),
  }
}
