import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../controls/icons.tsx'
import { duration } from '../parts/relative-time.ts'
import type { ComponentChildren } from 'preact'

interface Props {
  /** Stays the first one that was given: a presigned URL changes with each answer, and the picture does not. */
  readonly url: string
  readonly kind: 'image' | 'video'
  /** Shown if the picture does not load. */
  readonly children?: ComponentChildren
}

/** Decoration that is loaded once it is on the screen. */
export function Picture({ url, kind, children }: Props) {
  const first = useSignal(url).value
  const isBroken = useSignal(false)
  const broken = () => (isBroken.value = true)
  if (isBroken.value) return <>{children}</>
  return kind === 'image' ? (
    <img class="thumbnail" src={first} alt="" loading="lazy" onError={broken} />
  ) : (
    <FirstFrame url={first} broken={broken} />
  )
}

/** Loads a video's metadata and first frame. */
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
