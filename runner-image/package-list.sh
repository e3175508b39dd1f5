#!/bin/sh
# package-list.sh OUT: writes which Debian packages the files of the root OUT come from, with their source
# packages and versions, and copies their licences: a copied root has no package database to ask
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

licence() {
  if [ ! -e "/usr/share/doc/$1/copyright" ]; then
    # a slim base leaves documentation out: the package's archive has it
    apt-get download -qq "$1" >/dev/null
    dpkg-deb --fsys-tarfile "$1"_*.deb | tar -x -C / --wildcards "./usr/share/doc/*"
    rm "$1"_*.deb
    # some packages link to the folder of another one of their source
    if [ -L "/usr/share/doc/$1" ]; then licence "$(basename "$(readlink "/usr/share/doc/$1")")"; fi
  fi
}

cut -f1 "$doc/packages.tsv" | while read -r package; do
  licence "$package"
  mkdir -p "$doc/$package"
  cp -L "/usr/share/doc/$package/copyright" "$doc/$package/copyright"
done
# most of them refer to the full texts there
cp -rL /usr/share/common-licenses "$out/usr/share/common-licenses"
