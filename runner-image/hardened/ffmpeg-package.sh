#!/bin/sh
# ffmpeg-package.sh VERSION OUT: builds a package ffmpeg into OUT from Debian's source package of FFmpeg in that
# version: the same configuration, without all that reaches beyond files. What Debian links for it stays out of
# the image with it.
set -eu
version=$1
out=$2

# network; plug-ins; devices and discs; graphics cards; a speech recogniser that loads models by path
dropped='gnutls librabbitmq librist libsrt libssh libzmq
  frei0r ladspa lv2
  libcaca libcdio libdc1394 libiec61883 libjack libpulse openal opengl sdl2 libbluray libdvdnav libdvdread
  libdrm libglslang libplacebo libvpl opencl
  pocketsphinx'

sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >/etc/apt/sources.list.d/sources-too.list 2>/dev/null || true
for file in /etc/apt/sources.list.d/*.sources; do
  [ -e "$file" ] && sed -i 's/^Types: deb$/Types: deb deb-src/' "$file"
done
apt-get update
apt-get install -y --no-install-recommends dpkg-dev gcc g++ libc6-dev make nasm pkgconf \
  flite1-dev libaom-dev libass-dev libbs2b-dev libbz2-dev libchromaprint-dev libcodec2-dev libdav1d-dev \
  libfontconfig-dev libfreetype-dev libfribidi-dev libgme-dev libgsm1-dev libharfbuzz-dev libjxl-dev liblzma-dev \
  libmp3lame-dev libmysofa-dev libopenjp2-7-dev libopenmpt-dev libopus-dev librav1e-dev librsvg2-dev \
  librubberband-dev libshine-dev libsnappy-dev libsoxr-dev libspeex-dev libsvtav1enc-dev libtheora-dev \
  libtwolame-dev libvidstab-dev libvorbis-dev libvpx-dev libwebp-dev libx264-dev libx265-dev libxml2-dev \
  libxvidcore-dev libzimg-dev libzvbi-dev zlib1g-dev

mkdir -p /build/source
cd /build/source
if ! apt-get source "ffmpeg=7:$version"; then
  echo "Debian no longer has ffmpeg $version; it has: $(apt-cache showsrc ffmpeg | sed -n 's/^Version: 7://p' | sort -u | xargs). Set FFMPEG_VERSION in runner-image/hardened/Dockerfile to one of these." >&2
  exit 1
fi
cd ffmpeg-*/

# Debian's configuration is a variable of its makefile
# shellcheck disable=SC2016
configuration=$(printf 'print-configuration:\n\t@echo $(CONFIG) $(CONFIG_standard)\n' |
  make --no-print-directory -f debian/rules -f - print-configuration)
for name in $dropped; do
  configuration=$(printf '%s\n' $configuration | sed "/^--enable-$name\$/d")
done
# no debugging symbols: they double the time, and the image has none
eval "$(DEB_CFLAGS_MAINT_STRIP=-g DEB_CXXFLAGS_MAINT_STRIP=-g dpkg-buildflags --export=sh)"
# shellcheck disable=SC2086
./configure $configuration --disable-debug --disable-doc --disable-ffplay --disable-static \
  --disable-autodetect --enable-bzlib --enable-iconv --enable-lzma --enable-zlib \
  --disable-network --disable-devices --enable-indev=lavfi --extra-version="${version#*-}+hardened1"
make -j "$(nproc)"
root=/build/root
make install-progs install-libs DESTDIR="$root"
find "$root" -name '*.so' -delete
find "$root" -type f \( -path '*/bin/*' -o -name '*.so.*' \) -exec strip --strip-unneeded {} +
install -D -m 644 debian/copyright "$root/usr/share/doc/ffmpeg/copyright"

libraries=$root/usr/lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)
find "$root" -type f \( -path '*/bin/*' -o -name '*.so.*' \) \
  -exec dpkg-shlibdeps -O --ignore-missing-info -l"$libraries" {} + >/build/needed
# its own libraries need each other; everything else is a package of Debian's
needed=$(sed 's/^shlibs:Depends=//; s/, /\n/g' /build/needed |
  grep -v '^lib\(av[a-z]*\|sw[a-z]*\|postproc\)[0-9]' | paste -sd , | sed 's/,/, /g')
# libchromaprint needs Debian's libavcodec and gets this one
replaced=$(sed -n 's/^Package: \(lib.*[0-9]\)$/\1/p' debian/control | grep -v extra)
mkdir -p "$root/DEBIAN" "$out"
cat >"$root/DEBIAN/control" <<EOF
Package: ffmpeg
Source: ffmpeg (7:$version)
Version: 7:$version+hardened1
Architecture: $(dpkg --print-architecture)
Maintainer: Cloud FFmpeg
Depends: $needed
Provides: $(for name in $replaced; do echo "$name (= 7:$version+hardened1)"; done | paste -sd , | sed 's/,/, /g')
Conflicts: $(echo "$replaced" | paste -sd , | sed 's/,/, /g')
Replaces: $(echo "$replaced" | paste -sd , | sed 's/,/, /g')
Description: FFmpeg without network, plug-ins and devices
EOF
dpkg-deb --root-owner-group --build "$root" "$out"
cd "$out"
dpkg-scanpackages . >Packages
