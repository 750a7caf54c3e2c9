# Sourced by the launchers of this folder, after they set `scripts` to its path. Gives them
#   need_swift         ends with a message when there is no Swift toolchain, or one that is too old
#   check_python       ends with a message when there is no Python, or one that is too old
#   need_python LEVEL  checks the same, and sets `python` to an interpreter that has the libraries of
#                      requirements-LEVEL.txt: base (the command line), measure (also what measuring and reporting
#                      need), or test (also what tests need)
#   launch LEVEL -m PACKAGE COMMAND [ARGUMENT...]
#                      runs both, and then becomes Python with these arguments

stop() {
    printf '%s\n' "$@" >&2
    exit 69
}

need_swift() {
    command -v swift >/dev/null 2>&1 && command -v swiftc >/dev/null 2>&1 || stop \
        "error: no Swift toolchain: 'swift' and 'swiftc' are not in PATH." \
        "Install Swift 6.3 or newer from https://www.swift.org/install and try again."
    # 'Swift version 6.4-dev (…)', or 'Apple Swift version 6.2.1 (…)'.
    # The driver, which `swiftc --version` asks, leaves a temporary folder behind each time.
    version=$(swiftc -frontend -version 2>/dev/null)
    version=${version#*Swift version }
    minor=${version#*.}
    case ${version%%.*}-${minor%%[!0-9]*} in
    [0-5]-* | 6-[012]) stop \
        "error: Swift ${version%% *} is too old." \
        "Install Swift 6.3 or newer from https://www.swift.org/install and put it first in PATH." ;;
    esac
}

check_python() {
    command -v python3 >/dev/null 2>&1 || stop \
        "error: 'python3' is not in PATH." \
        "Install Python 3.11 or newer (Debian and Ubuntu: apt install python3 python3-venv; macOS: brew install python)."
    python3 -I -S -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || stop \
        "error: $(python3 --version) is too old." \
        "Install Python 3.11 or newer and put it first in PATH."
}

# An environment of a higher level is used where there is one already. A new one is built beside its final place
# and renamed, so that it is there as a whole or not at all, whether the launcher is interrupted or runs twice at the
# same time.
need_python() {
    check_python
    environments=$(dirname "$scripts")/.build/python
    key=$(cat "$scripts"/requirements*.txt | python3 -I -S -c '
import hashlib, signal, sys
# Ends silently where the launcher is interrupted.
for number in signal.SIGINT, signal.SIGPIPE:
    signal.signal(number, signal.SIG_DFL)
wanted = sys.version.encode() + sys.executable.encode() + sys.stdin.buffer.read()
print(hashlib.sha256(wanted).hexdigest()[:12])' 2>/dev/null) || exit
    # Bytecode is kept, and out of the checkout: each start would compile the libraries again.
    unset PYTHONDONTWRITEBYTECODE
    export PYTHONPYCACHEPREFIX="$environments/bytecode"
    case $1 in
    base) levels="base measure test" ;;
    measure) levels="measure test" ;;
    *) levels=test ;;
    esac
    for level in $levels; do
        python=$environments/$key-$level/bin/python
        [ -x "$python" ] && return
    done

    python3 -c 'import ensurepip, venv' 2>/dev/null || stop \
        "error: $(python3 --version) lacks venv or pip." \
        "Install them (Debian and Ubuntu: apt install python3-venv) and try again."
    requirements=$scripts/requirements-$1.txt
    environment=$environments/$key-$1
    python=$environment/bin/python
    echo "Installing the scripts' Python libraries into $environment (once) ..." >&2
    mkdir -p "$environments" || stop \
        "error: cannot write to $environments, where the scripts' Python libraries are to be installed." \
        "Use the scripts of a copy of the repository; --package names what they work on."
    unfinished=$environments/unfinished.$$
    trap 'rm -rf "$unfinished"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    # What they print of an interrupt is not shown.
    message=$(python3 -m venv "$unfinished" 2>&1) || stop \
        "$message" "error: 'python3 -m venv' failed; its message is above."
    # Most of what is installed is never imported.
    message=$("$unfinished/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
        --requirement "$requirements" 2>&1) || stop \
        "$message" "error: pip could not install $requirements; its message is above." \
        "It needs to reach PyPI, or a mirror named in PIP_INDEX_URL."
    # Fails where another launcher was faster; its environment is used then.
    python3 -c 'import os, sys; os.rename(*sys.argv[1:])' "$unfinished" "$environment" 2>/dev/null
    rm -rf "$unfinished"
    trap - EXIT HUP INT TERM
    [ -x "$python" ] || stop "error: $environment could not be put in place. Is the folder writable?"
}

launch() {
    trap 'exit 130' INT
    need_swift
    need_python "$1"
    shift
    export SWIFTMODULES_CACHE="${SWIFTMODULES_CACHE-$(dirname "$scripts")/.build/swiftmodules}"
    if [ "$2" = swiftmodules ]; then
        # This repository is the default package, from any folder.
        export SWIFTMODULES_PACKAGE="$(dirname "$scripts")" SWIFTMODULES_PROGRAM="scripts/$3"
    fi
    # Until its own handler is there, Python would print where an interrupt met it. This one, whose errors are hidden,
    # blocks interrupts before it becomes the other, whose handler takes what came meanwhile.
    trap - INT
    PYTHONPATH="$scripts/tool:$scripts" exec python3 -I -S -c '
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
os.dup2(3, 2)
os.close(3)
os.execv(sys.argv[1], sys.argv[1:])' "$python" "$@" 3>&2 2>/dev/null
}
