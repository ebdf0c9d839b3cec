#!/bin/sh
# Adds attnviz to the menu and to the file types of this user; nothing is copied, and no rights are needed.
#
#   ./install.sh            add the menu entry, the icon, the file type of sessions, and ~/.local/bin/attnviz
#   ./install.sh --remove   remove them again; settings and sessions stay
#
# Run it again after moving the folder. Of two versions, the one installed last is in the menu.
set -eu

if [ -z "${HOME:-}" ]; then
    echo "attnviz: HOME is not set, so this user has no menu to add to" >&2
    exit 1
fi
here=$(cd "$(dirname "$0")" && pwd -P)
share=${XDG_DATA_HOME:-$HOME/.local/share}
entry=$share/applications/attnviz.desktop
icon=$share/icons/hicolor/scalable/apps/attnviz.svg
type=$share/mime/packages/attnviz.xml
command=$HOME/.local/bin/attnviz
program=$here/attnviz/attnviz

has=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/.* //')
if [ -n "$has" ] && [ "$(printf '%s\n' "$has" @GLIBC@ | sort -V | head -n 1)" != @GLIBC@ ]; then
    echo "attnviz: this system is too old: it has glibc $has, attnviz needs @GLIBC@ or newer (Debian 12, Ubuntu 22.04)" >&2
    exit 1
fi

refresh() {  # what a desktop has read; it does so itself where these programs are missing
    ! command -v update-mime-database >/dev/null || update-mime-database "$share/mime" || true
    ! command -v update-desktop-database >/dev/null || update-desktop-database "$share/applications" || true
}

quoted() {  # as a desktop entry quotes an argument: in double quotes, with \ before what is special in them, twice
    printf '%s' "$1" | sed -e 's/\\/&&&&/g' -e 's/["$`]/\\\\&/g' -e 's/%/%%/g' -e 's/.*/"&"/'
}

case ${1:-} in
--remove)
    if [ -f "$entry" ] && ! grep -qF "$(quoted "$program")" "$entry"; then
        echo "attnviz: the menu entry belongs to another copy, whose install.sh --remove removes it:" >&2
        grep '^Exec=' "$entry" >&2
        exit 1
    fi
    rm -f "$entry" "$icon" "$type"
    if [ "$(readlink "$command" || true)" = "$program" ]; then rm -f "$command"; fi
    refresh
    echo "attnviz is no longer in the menu. This folder can be deleted: $here"
    ;;
"")
    mkdir -p "${entry%/*}" "${icon%/*}" "${type%/*}" "${command%/*}"
    cp "$here/attnviz.svg" "$icon"
    cp "$here/attnviz-mime.xml" "$type"
    exec=$(quoted "$program" | sed 's/[\\&|]/\\&/g')
    sed -e "s|^Exec=attnviz|Exec=$exec|" "$here/attnviz.desktop" >"$entry"
    if [ -L "$command" ] || [ ! -e "$command" ]; then
        ln -sf "$program" "$command"
    else
        echo "attnviz: $command is a file of yours and stays; the program is $program" >&2
    fi
    refresh
    echo "attnviz is in the menu. To remove it: $here/install.sh --remove"
    ;;
*)
    echo "attnviz: install.sh knows --remove only" >&2
    exit 2
    ;;
esac
