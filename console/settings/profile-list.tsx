import { Check } from '../controls/choices.tsx'
import { Button } from '../controls/button.tsx'
import { confirmed } from '../parts/confirm.tsx'
import { attempt } from '../parts/notices.ts'
import { colourClass } from '../shell/nav.tsx'
import { colours } from '../shell/profiles.ts'
import {
  changeProfile,
  choose,
  isMemoryOnly,
  profile,
  profiles,
  removeProfile,
} from '../shell/session.ts'
import type { Profile } from '../shell/profiles.ts'

/** The keys of this browser by their names. */
export function ProfileList() {
  return (
    <ul class="profile-list">
      {profiles.value.map((one) => (
        <ProfileRow key={one.id} one={one} isChosen={one.id === profile.value?.id} />
      ))}
    </ul>
  )
}

function ProfileRow({ one, isChosen }: { readonly one: Profile; readonly isChosen: boolean }) {
  const remove = () =>
    attempt(async () => {
      const yes = await confirmed({
        title: `Remove ${one.name}?`,
        text: 'This removes the key from this browser. The key stays valid; revoke it on the page Keys.',
        verb: 'Remove it',
      })
      if (!yes) return `${one.name} stays.`
      removeProfile(one.id)
      return `${one.name} is removed.`
    })
  return (
    <li class="profile-row row">
      <label class="check">
        <input
          type="radio"
          name="profile"
          checked={isChosen}
          aria-label={`Use ${one.name}`}
          onChange={() => choose(one.id)}
        />
        <span class={`swatch ${colourClass(one.colour)}`} />
      </label>
      <input
        type="text"
        aria-label={`Name of ${one.name}`}
        value={one.name}
        onChange={({ currentTarget }) => {
          const name = currentTarget.value.trim()
          if (name === '') currentTarget.value = one.name
          else changeProfile(one.id, { name })
        }}
      />
      <ColourChoice one={one} />
      {!isMemoryOnly() && (
        <Check
          isOn={one.keep}
          label={`Keep on this device: ${one.name}`}
          set={(isOn) => changeProfile(one.id, { keep: isOn })}
        >
          Keep on this device
        </Check>
      )}
      <Button label={`Remove ${one.name}`} onClick={remove}>
        Remove
      </Button>
    </li>
  )
}

function ColourChoice({ one }: { readonly one: Profile }) {
  return (
    <fieldset class="colours">
      <legend class="off-screen">Colour of {one.name}</legend>
      {colours.map((colour, index) => (
        <label key={colour} class={`colour colour-${index}`}>
          <input
            type="radio"
            name={`colour of ${one.id}`}
            aria-label={`Colour ${index + 1}`}
            checked={one.colour === colour}
            onChange={() => changeProfile(one.id, { colour })}
          />
        </label>
      ))}
    </fieldset>
  )
}
