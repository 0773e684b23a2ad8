# What a traveller reads of what plan.sh planned.
say() { printf '\n$ tripstore %s\n' "$*"; "$T" "$@" || printf '(exit code %s)\n' "$?"; }
say trips
say show 'Around the Pacific'
say show 'Minami-kan 旅館'
say list lodgings --trip 'Around the Pacific'
say list organizations
