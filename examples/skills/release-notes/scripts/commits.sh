#!/bin/sh
# Prints one commit a line, oldest first: hash, type, subject, with tabs between.
#
#   usage: commits.sh FROM [TO]
#
# The type is what stands before the colon of a conventional subject, else "other".
# It ends with ! where the subject or a BREAKING CHANGE footer announces a break.
set -eu
from=${1:?usage: commits.sh FROM [TO]}
to=${2:-HEAD}
for rev in "$from" "$to"; do
  git rev-parse --quiet --verify --end-of-options "$rev^{commit}" >/dev/null || {
    echo "commits.sh: no such tag or commit: $rev" >&2
    exit 1
  }
done
git log --no-merges --reverse --format='%h%x1f%s%x1f%b%x1e' --end-of-options "$from..$to" -- |
  awk 'BEGIN { RS = "\036"; FS = "\037" } {
    sub(/^\n/, "", $1)
    if ($1 == "") next
    kind = "other"
    if (match($2, /^[a-z]+(\([^)]*\))?!?: /)) kind = substr($2, 1, RLENGTH - 2)
    if ($0 ~ /BREAKING[ -]CHANGE:/ && kind !~ /!$/) kind = kind "!"
    print $1 "\t" kind "\t" $2
  }'
