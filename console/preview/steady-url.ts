import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { RefObject } from 'preact'

/**
 * The URL of a player. A new URL of the same private file must not interrupt what plays, so a player that
 * has begun takes it only once the old one has failed, and goes on where it was.
 */
export function useSteadyUrl(
  url: string,
  player: RefObject<HTMLMediaElement | null>,
  onBroken: () => void,
): { readonly src: string; readonly onError: () => void } {
  const src = useSignal(url)
  useEffect(() => {
    if (src.peek() !== url && !hasBegun(player.current)) src.value = url
  }, [url])
  const onError = () => {
    const element = player.current
    if (src.peek() === url) return onBroken()
    const at = element?.currentTime ?? 0
    const wasPlaying = element?.paused === false
    src.value = url
    element?.addEventListener(
      'loadedmetadata',
      () => {
        element.currentTime = at
        if (wasPlaying) void element.play()
      },
      { once: true },
    )
  }
  return { src: src.value, onError }
}

function hasBegun(element: HTMLMediaElement | null): boolean {
  return element !== null && (!element.paused || element.currentTime > 0)
}
