{{/* 4 or 6 for an address range, nothing for any other text. */}}
{{- define "cloud-ffmpeg.ipFamily" -}}
{{- $octet := "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])" -}}
{{- if regexMatch (printf "^(%s\\.){3}%s/(3[0-2]|[12]?[0-9])$" $octet $octet) . -}}
4
{{- else if regexMatch "^[0-9a-fA-F:]+/(12[0-8]|1[01][0-9]|[1-9]?[0-9])$" . -}}
{{- $group := "[0-9a-fA-F]{1,4}" -}}
{{- $address := first (splitList "/" .) -}}
{{- if regexMatch (printf "^(%s:){7}%s$" $group $group) $address -}}
6
{{- else -}}
{{- $shortened := splitList "::" $address -}}
{{- $whole := regexMatch (printf "^(%s(:%s)*)?::(%s(:%s)*)?$" $group $group $group $group) $address -}}
{{- if and $whole (eq (len $shortened) 2) (le (len (compact (splitList ":" $address))) 7) -}}
6
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether an IPv6 range holds all of 2000::/3, where every public address lies. */}}
{{- define "cloud-ffmpeg.holdsPublicIpv6" -}}
{{- if regexMatch "/0$" . -}}
true
{{- else if and (regexMatch "/1$" .) (not (regexMatch "^[89a-fA-F][0-9a-fA-F]{3}:" .)) -}}
true
{{- else if and (regexMatch "/2$" .) (not (regexMatch "^[4-9a-fA-F][0-9a-fA-F]{3}:" .)) -}}
true
{{- else if and (regexMatch "/3$" .) (regexMatch "^[23][0-9a-fA-F]{3}:" .) -}}
true
{{- end -}}
{{- end -}}

{{/* JSON of an entry of network.allowCidrs: its range, and its port or nothing. */}}
{{- define "cloud-ffmpeg.allowedRange" -}}
{{- $form := "^(?:\\[([0-9a-fA-F:.]+)\\]|([0-9a-fA-F:.]+))(/[0-9]+):([0-9]+)$" -}}
{{- $port := regexMatch $form . | ternary (regexReplaceAll $form . "${4}") "" -}}
{{- dict "cidr" (regexReplaceAll $form . "${1}${2}${3}") "port" $port | toJson -}}
{{- end -}}

{{/* The addresses of an IPv4 range behind a NAT64 gateway, whose prefix takes the first 96 bits (RFC 6052). */}}
{{- define "cloud-ffmpeg.nat64" -}}
{{- $parts := splitList "/" . -}}
{{- $octets := splitList "." (first $parts) -}}
{{- $high := add (mul 256 (index $octets 0 | int)) (index $octets 1 | int) -}}
{{- $low := add (mul 256 (index $octets 2 | int)) (index $octets 3 | int) -}}
{{- printf "64:ff9b::%x:%x/%d" $high $low (add 96 (last $parts | int)) -}}
{{- end -}}

{{/*
Egress to public addresses: what the guard of outbound requests opens, as far as a NetworkPolicy can say it. Each
exception has to lie within the range that it is taken from, or Kubernetes refuses the policy: IPv4 is
taken from 0.0.0.0/0 without private, link-local, carrier-grade NAT and metadata addresses, IPv6 from 2000::/3, and what a
NAT64 gateway makes of IPv4 from its prefix without the same.
*/}}
{{- define "cloud-ffmpeg.worldEgress" -}}
{{- $ipv4 := list "10.0.0.0/8" "172.16.0.0/12" "192.168.0.0/16" "169.254.0.0/16" "100.64.0.0/10" "127.0.0.0/8" -}}
{{- $ipv6 := list -}}
{{- $nat64 := list -}}
{{- $worlds := dict "4" true "6" true "64" true -}}
{{- range .root.Values.network.denyCidrs -}}
{{- if eq (include "cloud-ffmpeg.ipFamily" .) "4" -}}
{{- if regexMatch "/0$" . }}{{ $worlds = omit $worlds "4" "64" }}{{ else }}{{ $ipv4 = append $ipv4 . }}{{ end -}}
{{- else if regexMatch "^(64:(ff9b|FF9B)::/(96|[1-8]?[0-9])|::/[0-9])$" . -}}
{{- $worlds = omit $worlds "64" -}}
{{- if include "cloud-ffmpeg.holdsPublicIpv6" . }}{{ $worlds = omit $worlds "6" }}{{ end -}}
{{- else if include "cloud-ffmpeg.holdsPublicIpv6" . -}}
{{- $_ := unset $worlds "6" -}}
{{- else if regexMatch "^64:(ff9b|FF9B)::([0-9a-fA-F]{1,4}(:[0-9a-fA-F]{1,4})?)?/" . -}}
{{- $nat64 = append $nat64 . -}}
{{- else if regexMatch "^[23][0-9a-fA-F]{3}:" . -}}
{{- $ipv6 = append $ipv6 . -}}
{{- end -}}
{{- end -}}
{{- range $ipv4 }}{{ $nat64 = append $nat64 (include "cloud-ffmpeg.nat64" .) }}{{ end -}}
{{- $anyPort := list -}}
{{- $onePort := list -}}
{{- range uniq .private -}}
{{- $entry := include "cloud-ffmpeg.allowedRange" . | fromJson -}}
{{- if $entry.port }}{{ $onePort = append $onePort $entry }}{{ else }}{{ $anyPort = append $anyPort . }}{{ end -}}
{{- end -}}
{{- with $anyPort }}
- to:
    {{- range . }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
{{- end }}
{{- range $onePort }}
- to:
    - ipBlock: { cidr: {{ .cidr | quote }} }
  ports: [{ port: {{ .port }} }]
{{- end }}
{{- if and $worlds .root.Values.networkPolicy.publicEgress }}
- to:
    {{- if hasKey $worlds "4" }}
    - ipBlock:
        cidr: 0.0.0.0/0
        except: {{- $ipv4 | uniq | toJson | nindent 10 }}
    {{- end }}
    {{- if hasKey $worlds "6" }}
    - ipBlock:
        cidr: 2000::/3
        {{- with $ipv6 }}
        except: {{- . | uniq | toJson | nindent 10 }}
        {{- end }}
    {{- end }}
    {{- if hasKey $worlds "64" }}
    - ipBlock:
        cidr: 64:ff9b::/96
        except: {{- $nat64 | uniq | toJson | nindent 10 }}
    {{- end }}
{{- end }}
{{- end -}}

{{/* Egress to the name servers of the cluster. */}}
{{- define "cloud-ffmpeg.dnsEgress" -}}
{{- $ports := list -}}
{{- range .Values.networkPolicy.dnsPorts -}}
{{- $ports = concat $ports (list (dict "port" . "protocol" "UDP") (dict "port" . "protocol" "TCP")) -}}
{{- end -}}
- ports: {{- toYaml $ports | nindent 4 }}
{{- end -}}

{{/* Egress to the agent of EKS Pod Identity on the node, which gives the SDK its credentials. IRSA needs 443 alone. */}}
{{- define "cloud-ffmpeg.identityEgress" -}}
{{- if eq .Values.storage.credentials.mode "default" -}}
- to:
    - ipBlock: { cidr: 169.254.170.23/32 }
    - ipBlock: { cidr: 'fd00:ec2::23/128' }
  ports: [{ port: 80 }]
{{- end -}}
{{- end -}}
