# The parts of .ci/run. Sourced, not run.

steps=0
current=""

# step TITLE COMMAND…: a heading, the command, how long it took. A failure ends the run; `finish` names the step.
step() {
  local began=$SECONDS
  current=$1
  shift
  printf '\n== %s\n' "$current"
  "$@"
  printf -- '-- %s: %s s\n' "$current" "$((SECONDS - began))"
  current=""
  steps=$((steps + 1))
}

# finish FOLDER: clears up, and says what failed where something did.
finish() {
  local code=$?
  [[ -z $current ]] || printf '\nFAILED (%s) after %s s: %s\n' "$code" "$SECONDS" "$current" >&2
  rm -rf "$1"
}

tree_state() {
  git status --porcelain --untracked-files=all
  git rev-parse HEAD
}

unchanged() {
  local now
  now=$(tree_state)
  if [[ $now != "$1" ]]; then
    printf 'The run changed the tree:\n%s\nBefore it was:\n%s\n' "$now" "$1"
    return 1
  fi
}

# The fault harness injects its faults with strace; where it cannot be installed, the specs that need it say so and skip.
fault_tools() {
  if type -P strace >/dev/null; then
    strace --version | head -n 1
  elif [[ $(id -u) -eq 0 ]] && type -P apt-get >/dev/null; then
    if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends strace >/dev/null; then
      strace --version | head -n 1
    else
      printf 'strace could not be installed: what needs it is skipped, and says so.\n'
    fi
  else
    printf 'strace is missing and can only be installed by root with apt-get.\n'
  fi
}

# A folder of links to what install, build and specs may use; from here on it is the whole PATH.
narrow_path() {
  local tool found
  mkdir -p "$1"
  ln -s "$(node -p process.execPath)" "$1/node"
  for tool in npm npx git sh bash env dirname basename readlink realpath cat cp mv rm ln ls mkdir mkfifo mktemp chmod \
    touch head tail sort uniq wc tr cut sed grep find xargs date uname id sleep kill timeout tar gzip gunzip \
    test true false tee printf expr diff cmp stat ps which rmdir echo strace mount umount unshare setpriv prlimit flock; do
    found=$(type -P "$tool") || continue
    ln -s "$(readlink -f "$found")" "$1/$tool"
  done
  export PATH=$1
  hash -r
  for tool in cc gcc g++ c++ clang make cmake gmake python python3 node-gyp; do
    if found=$(type -P "$tool"); then
      printf '%s is still found: %s\n' "$tool" "$found"
      return 1
    fi
  done
  printf 'Node %s, npm %s\n' "$(node -p process.versions.node)" "$(npm --version)"
}

# The registry may have a bad moment: one second try.
install_here() {
  npm ci --loglevel=error || { sleep 5 && npm ci --loglevel=error; }
}

# with_node FOLDER COMMAND…: the command with the Node of that folder before all others.
with_node() {
  local folder=$1
  shift
  PATH="$folder:$PATH" "$@"
}

# other_installs FOLDER NODE24: what people install in other ways must not break: without development dependencies, and
# without scripts, where an older Node asks for the build and a newer one runs the sources.
other_installs() {
  local code=0
  mkdir -p "$1/skills/one" "$1/home"
  printf -- '---\nname: one\ndescription: The only skill.\n---\n\n# One\n' >"$1/skills/one/SKILL.md"
  git clone --quiet . "$1/omit-dev"
  (cd "$1/omit-dev" && npm ci --omit=dev --loglevel=error)
  git clone --quiet . "$1/no-scripts"
  (cd "$1/no-scripts" && npm ci --ignore-scripts --loglevel=error)
  HOME="$1/home" node "$1/no-scripts/bin/reindex.mjs" "$1/skills" >"$1/said" 2>&1 || code=$?
  cat "$1/said"
  [[ $code -eq 2 ]] && grep -q "npm run build" "$1/said"
  HOME="$1/home" with_node "$2" node "$1/no-scripts/bin/reindex.mjs" "$1/skills"
  HOME="$1/home" with_node "$2" node "$1/omit-dev/bin/reindex.mjs" "$1/skills"
}
