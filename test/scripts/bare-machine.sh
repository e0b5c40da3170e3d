#!/usr/bin/env bash
# Proves the README's two commands on a bare machine: test/scripts/bare-machine.sh [root] [user]
#
# It makes a minimal Debian with debootstrap, puts in this machine's Node 20 and npm 11, libatomic1 and ca-certificates,
# clones the last commit of this checkout into it, and runs there, as root and as an ordinary user (or as the one that
# is named),
#   npm ci && npm start     until the service is ready
#   npm ci && npm test
# Run it as root before a release. It needs debootstrap, git and half an hour; the environment, npm's settings and the
# certificates of this machine are passed on, as npm needs them. CI does not run it.
set -euo pipefail
cd "$(dirname "$0")/../.."
checkout=$PWD
accounts=("$@")
[ $# -gt 0 ] || accounts=(root user)

fail() { echo "bare-machine: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'run it as root: debootstrap and chroot need it'
command -v debootstrap >/dev/null || fail 'install debootstrap'
case "$(node --version) $(npm --version)" in
  v20.*\ 11.*) ;;
  *) fail "needs Node 20 and npm 11 in PATH, not $(node --version) and $(npm --version)" ;;
esac

# In a separate namespace, the mounts below and all processes end with this script.
if [ -z "${BARE_MACHINE_INSIDE-}" ]; then
  BARE_MACHINE_INSIDE=1 exec unshare --mount --pid --fork --kill-child "$checkout/test/scripts/bare-machine.sh" "$@"
fi

root=$(mktemp -d "${TMPDIR:-/var/tmp}/fleetsift-bare-XXXXXX")
# The directory becomes the root, which every account may enter.
chmod 755 "$root"
trap 'umount -R "$root/proc" "$root/dev" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT

echo "== debootstrap"
read -r mirror suite < <(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 'Component: main')
debootstrap --variant=minbase --include=libatomic1,ca-certificates "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
  { tail -5 "$root.log" >&2; fail 'debootstrap failed'; }
rm -f "$root.log"

echo "== Node $(node --version), npm $(npm --version)"
install -D "$(readlink -f "$(command -v node)")" "$root/usr/local/bin/node"
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/usr/local/lib/node_modules" "$root/usr/local/etc"
cp -r "$npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"

# Files that npm's settings and the environment name, at the same place as here.
pass_on() { if [ -f "$1" ]; then install -Dm644 "$1" "$root$1"; fi; }
for file in /etc/hosts /etc/resolv.conf /etc/ssl/certs/ca-certificates.crt "${NODE_EXTRA_CA_CERTS-}" \
  "${SSL_CERT_FILE-}" "$(npm config get cafile)"; do
  pass_on "$file"
done
settings="$(npm config get userconfig)"
global="$(npm config get globalconfig)"
[ ! -f "$global" ] || cp "$global" "$root/usr/local/etc/npmrc"

# What belongs to this machine would lead programs in the root to places that are not there.
unset CHROMIUM_PATH TEST_DATABASE_URL TMPDIR DATABASE_URL DATA_DIR
chroot "$root" useradd --create-home user

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"

as() {
  local account=$1 home
  home=$(chroot "$root" getent passwd "$account" | cut -d: -f6)
  shift
  HOME=$home USER=$account PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin \
    chroot --userspec="$account" "$root" /bin/bash -euo pipefail -c "cd $home/fleetsift
$*"
}

timed() {
  local account=$1 name=$2 began=$SECONDS
  as "$account" "${3-$name}" || fail "as $account: $name"
  echo "-- as $account, $((SECONDS - began)) s: $name"
}

START='
  npm start > start.log 2>&1 & service=$!
  until grep -q "Fleetsift is ready" start.log; do
    kill -0 $service 2>/dev/null || { cat start.log; exit 1; }
    sleep 0.2
  done
  cat start.log; kill -TERM $service; wait $service || true; rm start.log'

for account in "${accounts[@]}"; do
  home=$(chroot "$root" getent passwd "$account" | cut -d: -f6)
  echo "== as $account"
  chmod 700 "$root$home"
  git clone --quiet "file://$checkout" "$root$home/fleetsift"
  [ ! -f "$settings" ] || cp "$settings" "$root$home/.npmrc"
  chown -R "$(chroot "$root" id -u "$account"):$(chroot "$root" id -g "$account")" "$root$home"
  timed "$account" 'npm ci'
  timed "$account" 'npm start' "$START"
  timed "$account" 'npm ci'
  timed "$account" 'npm test'
  rm -rf "$root$home/fleetsift"
done
echo 'both commands work on a bare machine'
