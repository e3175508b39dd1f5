import { Skeleton } from '../controls/skeleton.tsx'
import { Button } from '../controls/button.tsx'
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
        <div class="instead column middle">
          <p>This page could not be loaded. The service may have a newer version by now.</p>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </div>
      )
    }
    begin()
    return <Skeleton late="Still loading the page." />
  }
}
