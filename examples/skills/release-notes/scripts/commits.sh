#!/bin/sh
# Prints the commits between two tags: hash, type (before the first colon), subject.
set -eu
from=${1:?usage: commits.sh FROM [TO]}
to=${2:-HEAD}
git log --no-merges --reverse --format='%h%x09%s' "$from..$to" |
  awk -F '\t' '{ kind = "other"; if (match($2, /^[a-z]+(\([^)]*\))?!?: /)) { kind = substr($2, 1, RLENGTH - 2) } print $1 "\t" kind "\t" $2 }'
