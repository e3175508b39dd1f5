# All of the runner but its own two programs: FFmpeg, Node.js, the sandbox's two helpers, mkfifo and
# fonts; no shell, no package manager. The build context holds Node.js as node/bin/node and
# node/LICENSE, noto-emoji/ with one font and its licence, and runner-image/. It is a separate image
# because it takes minutes to build and rarely changes.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS full
ARG EXTRA_FONTS=""
RUN printf 'path-include=/usr/share/doc/*/copyright\n' >/etc/dpkg/dpkg.cfg.d/zz-keep-licences \
 && apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg util-linux ca-certificates fontconfig \
      fonts-dejavu-core fonts-liberation fonts-noto-core fonts-roboto-unhinted \
      fonts-open-sans fonts-lato fonts-montserrat \
      # drawtext takes a text from one font: these have Latin letters beside Chinese, Japanese and
      # Korean, beside emoji (of 2016) and beside Thai
      fonts-wqy-microhei fonts-symbola fonts-tlwg-waree-ttf ${EXTRA_FONTS} \
 # the same family three times, in formats that fontconfig has to choose between
 && rm -r /usr/share/fonts/woff /usr/share/fonts/opentype/montserrat
# all emoji, in the one colour that drawtext and libass draw; Debian has them in many colours only
COPY noto-emoji/NotoEmoji_400Regular.ttf /usr/share/fonts/truetype/noto/NotoEmoji-Regular.ttf
COPY noto-emoji/LICENSE_FONT /out/usr/share/doc/noto-emoji/LICENSE
COPY runner-image/fonts/local.conf /etc/fonts/local.conf
RUN fc-cache --system-only --force
COPY node/bin/node /usr/local/bin/node
COPY node/LICENSE /out/usr/share/doc/node/LICENSE
COPY runner-image/closure.sh runner-image/package-list.sh /build/
RUN sh /build/closure.sh /out /usr/bin/ffmpeg /usr/bin/ffprobe /usr/bin/setpriv /usr/bin/prlimit /usr/bin/mkfifo /usr/local/bin/node \
 # opened at run time, so that no linker names them: character sets, fonts and their cache, certificates
 && for folder in /usr/lib/*-linux-gnu/gconv /etc/fonts /usr/share/fontconfig /usr/share/fonts /var/cache/fontconfig /etc/ssl/certs; do \
      mkdir -p "/out$(dirname "$folder")" && cp -rL --preserve=timestamps "$folder" "/out$folder"; \
    done \
 && printf '%s\n' 'root:x:0:0:root:/root:/sbin/nologin' 'runner:x:10001:10001::/nonexistent:/sbin/nologin' >/out/etc/passwd \
 && printf '%s\n' 'root:x:0:' 'runner:x:10001:' >/out/etc/group \
 && printf '%s\n' 'hosts: files dns' >/out/etc/nsswitch.conf \
 && mkdir -p /out/app /out/link /out/job/in /out/job/work /out/job/tmp /out/proc /out/sys /out/dev /out/tmp \
 && chmod 1777 /out/tmp \
 && sh /build/package-list.sh /out
COPY runner-image/fonts/write-font-table.ts /build/
RUN node /build/write-font-table.ts /out/usr/share/cloud-ffmpeg
COPY runner-image/ffmpeg/sandbox/seccomp.ts runner-image/ffmpeg/sandbox/write-seccomp-filters.ts /build/
RUN node /build/write-seccomp-filters.ts /out/usr/share/cloud-ffmpeg \
 # a copied plug-in would be code that a command may load, a setuid file a way around the user
 && ! find /out -perm /6000 | grep . \
 && ! find /out -type d \( -name ladspa -o -name lv2 -o -name frei0r-1 \) | grep .

FROM scratch
COPY --from=full /out /
