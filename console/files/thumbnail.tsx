import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../controls/icons.tsx'
import { duration } from '../parts/relative-time.ts'
import { previewKind } from '../preview/preview-kind.ts'
import { stateOf, titleOf, typeWord } from './file-facts.ts'
import type { IconName } from '../controls/shapes.ts'
import type { ListedFile } from './file-facts.ts'

/** A larger picture is shown in the details alone. */
const mostImageMbytes = 8

/** Preview in a tile. A private file has no URL without a signature, so it has a shape. */
export function Thumbnail({ file }: { readonly file: ListedFile }) {
  const isBroken = useSignal(false)
  const url = file.storage_url
  const kind = previewKind({ ...file, codec: null })
  const isShown = url !== null && !file.is_private && !isBroken.value
  const broken = () => (isBroken.value = true)
  if (isShown && kind === 'image' && (file.size_mbytes ?? Infinity) <= mostImageMbytes) {
    return <img class="thumbnail" src={url} alt="" loading="lazy" onError={broken} />
  }
  if (isShown && kind === 'video') return <FirstFrame url={url} broken={broken} />
  return (
    <span class="thumbnail shape">
      <Icon name={shapeOf(file)} />
      <span>{wordOf(file)}</span>
    </span>
  )
}

/** Loads a video's metadata and first frame once the tile is on the screen. */
function FirstFrame({ url, broken }: { readonly url: string; readonly broken: () => void }) {
  const box = useRef<HTMLSpanElement>(null)
  const isSeen = useSignal(false)
  const seconds = useSignal<number | null>(null)
  useEffect(() => {
    if (box.current === null) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      isSeen.value = true
      observer.disconnect()
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return (
    <span ref={box} class="thumbnail shape">
      {isSeen.value ? (
        <video
          class="thumbnail"
          src={url}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
          aria-hidden="true"
          onError={broken}
          onLoadedMetadata={({ currentTarget }) => (seconds.value = currentTarget.duration)}
        />
      ) : (
        <Icon name="play" />
      )}
      {seconds.value !== null && Number.isFinite(seconds.value) && (
        <span class="length number">{duration(seconds.value)}</span>
      )}
    </span>
  )
}

function shapeOf(file: ListedFile): IconName {
  if (file.status !== 'STORED') return stateOf(file).icon
  if (file.is_private) return 'lock'
  switch (file.file_type) {
    case 'video':
    case 'output_manifest':
      return 'play'
    case 'audio':
      return 'sound'
    default:
      return 'file'
  }
}

function wordOf(file: ListedFile): string {
  if (file.status !== 'STORED') return stateOf(file).word
  const extension = titleOf(file).split('.').at(-1) ?? ''
  const word = typeWord(file) || extension
  return file.is_private ? `${word} · private` : word
}
