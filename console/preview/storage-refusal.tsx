import { CopyButton } from '../parts/copy-button.tsx'

/** Scripts of this page could not read bytes of the storage. */
export function StorageRefusal({ url }: { readonly url: string }) {
  if (isMixed(url)) return <p class="note">The browser blocks this: storage is on http.</p>
  const rule = corsRule(location.origin)
  return (
    <div class="note refusal">
      <p>
        Your storage does not allow this page (CORS), or it does not answer. Pictures and videos
        still play; uploads, waveforms and playlists read by a script do not. An administrator can
        allow it:
      </p>
      <p class="code">admin storage cors --origin {location.origin}</p>
      <CopyButton text={rule} what="rule for the bucket" worded />
    </div>
  )
}

/** A page on https may not load from http. */
export function isMixed(url: string): boolean {
  return location.protocol === 'https:' && url.startsWith('http:')
}

function corsRule(origin: string): string {
  const rule = {
    ID: 'cloud-ffmpeg',
    AllowedOrigins: [origin],
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag', 'Content-Range', 'Content-Length'],
    MaxAgeSeconds: 7_200,
  }
  return JSON.stringify({ CORSRules: [rule] }, null, 2)
}
