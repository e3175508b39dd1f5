import { Icon } from '../controls/icons.tsx'
import { accountWords } from './account-words.ts'
import { apiUrl, href, route } from './navigation.ts'
import { choose, profile, profiles, signOut } from './session.ts'
import { showShortcuts } from './shortcuts.tsx'
import { config, usage } from './service.ts'
import { colours } from './profiles.ts'
import type { IconName } from '../controls/shapes.ts'
import type { PageName } from './route.ts'

/** A page, as the navigation shows it. */
export interface PageLink {
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** Opens the page after `g`. */
  readonly key: string
}

type Link = PageLink & { readonly path: PageName }

interface Props {
  readonly pages: readonly Link[]
  readonly add: () => void
}

/** The bar of narrow screens has so many; the rest is in the menu at its end. */
const inNarrowBar = 3

/** On the left; at the bottom of narrow screens. */
export function Nav({ pages, add }: Props) {
  return (
    <nav class="nav" aria-label="Console">
      <ProfileMenu add={add} />
      {pages.map(({ path, title, icon, key }, index) => (
        <a
          key={path}
          class={index < inNarrowBar ? 'nav-link' : 'nav-link second'}
          href={href({ page: path })}
          aria-current={isAt(path) ? 'page' : undefined}
          data-shortcut={`g ${key}`}
        >
          <Icon name={icon} />
          {title}
        </a>
      ))}
      <MoreMenu pages={pages.slice(inNarrowBar)} />
      <span class="space" />
      <Vcpus />
      <Documents look="nav-link second" />
      <button type="button" class="nav-link second" onClick={showShortcuts}>
        <Icon name="keys" />
        Shortcuts
      </button>
      <span class="muted version">Cloud FFmpeg {config.value?.version}</span>
    </nav>
  )
}

/** A command has no link of its own in the navigation. */
function isAt(path: string): boolean {
  return route.value.page === path && route.value.id === null
}

function MoreMenu({ pages }: Pick<Props, 'pages'>) {
  const close = () => document.getElementById('more')?.hidePopover()
  const isHere = pages.some(({ path }) => isAt(path))
  return (
    <>
      <button type="button" class={`nav-link more ${isHere ? 'here' : ''}`} popovertarget="more">
        <Icon name="more" />
        More
      </button>
      <div id="more" class="menu" popover="auto">
        {pages.map(({ path, icon, title }) => (
          <a
            key={path}
            class="menu-item"
            href={href({ page: path })}
            aria-current={isAt(path) ? 'page' : undefined}
            onClick={close}
          >
            <Icon name={icon} />
            {title}
          </a>
        ))}
        <Documents look="menu-item" />
      </div>
    </>
  )
}

/** Guides and the reference, beside the console. */
function Documents({ look }: { readonly look: string }) {
  const documents = [
    ['docs', 'Docs', 'book'],
    ['docs/api', 'API', 'code'],
  ] as const
  return documents.map(([path, title, icon]) => (
    <a key={path} class={look} href={new URL(path, apiUrl).href} target="_blank" rel="noopener">
      <Icon name={icon} />
      {title}
    </a>
  ))
}

function Vcpus() {
  const vcpu = usage.value?.vcpu
  if (vcpu === undefined) return null
  return (
    <span class="muted vcpus">
      {vcpu.in_use}
      {vcpu.limit === null ? '' : ` of ${vcpu.limit}`} vCPUs in use
    </span>
  )
}

function ProfileMenu({ add }: Pick<Props, 'add'>) {
  const active = profile.value
  if (active === null) return null
  const close = () => document.getElementById('profiles')?.hidePopover()
  return (
    <div class="profile-menu">
      <button type="button" class="nav-link profile" popovertarget="profiles">
        <span class={`swatch ${colourClass(active.colour)}`} />
        <span class="clip">{active.name}</span>
        <Icon name="down" />
      </button>
      {usage.value !== null && (
        <p class="muted account">{accountWords(usage.value, active.name)}</p>
      )}
      <div id="profiles" class="menu" popover="auto">
        {profiles.value.map(({ id, name, colour }) => (
          <button
            key={id}
            type="button"
            class="menu-item"
            aria-pressed={id === active.id}
            onClick={() => {
              close()
              choose(id)
            }}
          >
            <span class={`swatch ${colourClass(colour)}`} />
            {name}
          </button>
        ))}
        <button
          type="button"
          class="menu-item"
          onClick={() => {
            close()
            add()
          }}
        >
          <Icon name="plus" />
          Add a key
        </button>
        <button type="button" class="menu-item" onClick={signOut}>
          <Icon name="failed" />
          Sign out of all keys
        </button>
      </div>
    </div>
  )
}

/** The policy allows no style attributes in markup, so each colour is a class. */
export function colourClass(colour: string): string {
  return `colour-${Math.max(0, (colours as readonly string[]).indexOf(colour))}`
}
