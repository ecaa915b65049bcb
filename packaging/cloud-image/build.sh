#!/usr/bin/env bash
# A disk image with Daedal for KVM and QEMU: Ubuntu 24.04 with cloud-init, Daedal in /opt/daedal and on the PATH.
#
#   packaging/cloud-image/build.sh [OUTPUT FOLDER]
#
# Needs libguestfs-tools, qemu-utils, curl, and Python with `build`. Writes daedal-VERSION-ubuntu-24.04.img with its
# .sha256 beside it, and a link without the version.
set -euo pipefail

release=24.04
source_url="https://cloud-images.ubuntu.com/releases/$release/release"
source_name="ubuntu-$release-server-cloudimg-amd64.img"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
output=$(realpath -m "${1:-$root/dist}")

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

for program in curl qemu-img sha256sum virt-customize; do
    command -v "$program" >/dev/null || fail "$program is missing · apt-get install libguestfs-tools qemu-utils curl"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$output"

version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$root/src/daedal/__init__.py")
[ -n "$version" ] || fail "the version cannot be read from src/daedal/__init__.py"
image="$output/daedal-$version-ubuntu-$release.img"

curl --fail --silent --show-error --location --output "$work/$source_name" "$source_url/$source_name"
curl --fail --silent --show-error --location --output "$work/SHA256SUMS" "$source_url/SHA256SUMS"
(cd "$work" && grep "[ *]$source_name\$" SHA256SUMS | sha256sum --check --strict -) ||
    fail "$source_name is not what Ubuntu published"

python3 -m build --wheel --outdir "$work/wheel" "$root"

qemu-img convert -O raw "$work/$source_name" "$work/disk.img"
virt-customize --add "$work/disk.img" \
    --install bubblewrap,ca-certificates,curl,git,openssh-server,python3-venv \
    --mkdir /opt/daedal/wheel \
    --copy-in "$work/wheel:/opt/daedal" \
    --copy-in "$root/constraints.txt:/opt/daedal" \
    --run-command 'python3 -m venv /opt/daedal/venv' \
    --run-command '/opt/daedal/venv/bin/pip install --no-cache-dir -c /opt/daedal/constraints.txt /opt/daedal/wheel/*.whl' \
    --link /opt/daedal/venv/bin/daedal:/usr/local/bin/daedal \
    --run-command 'cloud-init clean --logs' \
    --truncate /etc/machine-id

mv "$work/disk.img" "$image"
(cd "$output" && sha256sum "$(basename "$image")" > "$(basename "$image").sha256")
ln -sf "$(basename "$image")" "$output/daedal-ubuntu-$release.img"
printf '%s\n' "$image"
