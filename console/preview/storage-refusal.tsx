import { CopyButton } from '../parts/copy-button.tsx'
import { remedyFor } from '../parts/storage-remedy.ts'

/** Scripts of this page could not read bytes of the storage. */
export function StorageRefusal({ url }: { readonly url: string }) {
  if (isMixed(url)) return <p class="note">The browser blocks this: storage is on http.</p>
  const { command, rules } = remedyFor(location.origin)
  return (
    <div class="note column dense start">
      <p>
        Your storage does not allow this page (CORS), or it does not answer. Pictures and videos
        still play; uploads, waveforms and playlists read by a script do not. An administrator can
        allow it:
      </p>
      <p class="code">{command}</p>
      <CopyButton text={command} what="command" worded />
      <CopyButton text={rules} what="rules of the bucket" worded />
    </div>
  )
}

/** A page on https may not load from http. */
export function isMixed(url: string): boolean {
  return location.protocol === 'https:' && url.startsWith('http:')
}
