#!/bin/sh
# package-list.sh OUT: writes which Debian packages the files of the root OUT come from, with their
# source packages and versions, and copies their licences: a copied root has no package database to
# query
set -eu
out=$1
doc=$out/usr/share/doc
mkdir -p "$doc"
cd "$(mktemp -d)"

# dpkg knows a file by the path it was packed with, which the merged /usr may have changed since
(cd "$out" && find usr etc -type f) | sed 's|^|/|; p; s|^/usr/\(lib\|bin\|sbin\)|/\1|' | sort -u >files
xargs dpkg-query --search <files 2>/dev/null | grep -v '^diversion ' | sed 's/: .*//; s/, /\n/g' | sort -u >packages || true
# shellcheck disable=SC2016
xargs dpkg-query --show --showformat '${Package}\t${Version}\t${source:Package}\t${source:Version}\n' <packages |
  sort -u >"$doc/packages.tsv"

packages() { cut -f1 "$doc/packages.tsv"; }

# A slim base leaves documentation out: the packages' archives have it. Twice, because some packages
# link to the folder of another one of their source.
for _ in 1 2; do
  missing=$(packages | while read -r package; do
    folder=/usr/share/doc/$package
    if [ ! -e "$folder/copyright" ]; then
      if [ -L "$folder" ]; then basename "$(readlink "$folder")"; else echo "$package"; fi
    fi
  done | sort -u)
  if [ -n "$missing" ]; then
    # shellcheck disable=SC2086
    apt-get download -qq $missing >/dev/null
    for archive in ./*.deb; do dpkg-deb --fsys-tarfile "$archive" | tar -x -C / --wildcards "./usr/share/doc/*"; done
    rm ./*.deb
  fi
done

packages | while read -r package; do
  mkdir -p "$doc/$package"
  cp -L "/usr/share/doc/$package/copyright" "$doc/$package/copyright"
done
# most of them refer to the full texts there
cp -rL /usr/share/common-licenses "$out/usr/share/common-licenses"
