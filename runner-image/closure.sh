#!/bin/sh
# closure.sh OUT FILE...: copies programs, and every shared library they need, into the empty root OUT
set -eu
out=$1
shift

# the merged /usr of the base first: a library copied through a real /lib folder would lie outside of
# /usr, where the sandbox lets nothing be executed
for name in bin sbin lib lib64; do
  mkdir -p "$out/usr/$name"
  ln -s "usr/$name" "$out/$name"
done

copy() {
  real=$(readlink -f "$(dirname "$1")")/$(basename "$1")
  [ -e "$out$real" ] && return 0
  mkdir -p "$out$(dirname "$real")"
  cp -L "$real" "$out$real"
}

for program in "$@"; do
  copy "$program"
  ldd "$program" | awk '/=> \//{print $3} /^[ \t]*\/lib/{print $1}' | sort -u | while read -r library; do
    copy "$library"
  done
done
