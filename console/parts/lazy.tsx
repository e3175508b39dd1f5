import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** A component of a file that is loaded when it is drawn first. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loaded = signal<ComponentType<Props> | null>(null)
  const hasFailed = signal(false)
  let isLoading = false
  const begin = () => {
    if (isLoading) return
    isLoading = true
    hasFailed.value = false
    load()
      .then(
        (component) => (loaded.value = component),
        () => (hasFailed.value = true),
      )
      .finally(() => (isLoading = false))
  }
  return function Lazy(props: Props) {
    const Loaded = loaded.value
    if (Loaded !== null) return <Loaded {...props} />
    if (hasFailed.value) {
      return (
        <div class="instead">
          <p>This page could not be loaded. The service may have a newer version by now.</p>
          <button type="button" class="button" onClick={() => location.reload()}>
            Load it again
          </button>
        </div>
      )
    }
    begin()
    return (
      <div class="skeleton" aria-busy="true">
        <div class="skeleton-row tall" />
        <p class="late">Still loading the page.</p>
      </div>
    )
  }
}
